import { CancellationScope, condition, patched, workflowInfo } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { AfterReset } from '../../contracts/sessions/start-request';
import { StepStatus } from '../../contracts/steps/step-result';
import type { SessionRun } from './session-run';

/** True in a run that Temporal has made by a reset, from the first moment that is no replay of the run before it. */
function isPastReset(): boolean {
  const { runId, originalExecutionRunId, unsafe } = workflowInfo();
  // A replay of its history alone has the id of the first run: there the marker says that it was reset.
  return (runId !== originalExecutionRunId || unsafe.isReplaying) && patched('goes-on-after-reset');
}

/** Has a run that came out of a reset write, so that it takes the session over. Rejects where it may not. */
export async function confirmAfterReset({ session }: SessionRun): Promise<void> {
  if (isPastReset()) await session.publish('go on after a reset');
}

/**
 * The same as soon as there is a session, also where the run only waits. Never resolves, and a cancellation does not reject it:
 * the steps record their ends first.
 */
export async function refusedAfterReset(run: SessionRun): Promise<never> {
  return await CancellationScope.nonCancellable(async () => {
    await condition(() => run.session.id !== '' && isPastReset());
    await confirmAfterReset(run);
    return await new Promise<never>(() => {});
  });
}

/** Of a session that goes on from one that had ended: what that one had done is noted, and not done again. */
export function recordDoneSteps(
  { session, pause }: SessionRun,
  { sessionId, doneSteps, doneCommands }: AfterReset,
): void {
  const { steps } = session;
  const done = doneSteps === 0 ? 'None of its steps was done' : `${doneSteps} of its steps are done and not done again`;
  session.warn({
    code: 'SP002',
    message: `The workflow of session ${sessionId} was reset in Temporal after its end. This session goes on from there: ${done}.`,
  });
  for (let left = doneSteps; left > 0; left -= 1) {
    const { index: stepIndex, current } = steps;
    const facts = { stepIndex, stepContent: current.instruction };
    const page = { screenshotId: '', url: 'about:blank' };
    const reasoning = `Session ${sessionId} has done it.`;
    const status = StepStatus.COMPLETED;
    session.outbox.stepResult({ stepIndex, status, reasoning, durationMs: 0, page });
    const started = { step: { ...facts, status: StepStatus.IN_PROGRESS, progress: 0 } };
    session.record('step-processor', StreamEventType.STEP_STARTED, started, stepIndex);
    session.record(
      'step-processor',
      StreamEventType.STEP_COMPLETED,
      { step: { ...facts, status, progress: 100 } },
      stepIndex,
    );
    steps.complete(0);
    steps.advance();
  }
  if (doneSteps > 0) session.recordProgress();
  if (doneCommands === undefined) return;
  pause.hold(
    `${doneCommands} The next step begins anew when the session is resumed, and may do that again. Look first.`,
    'operator',
  );
}
