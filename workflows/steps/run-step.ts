import { isCancellation } from '@temporalio/workflow';
import { CANCELLED_ANSWER } from '../../contracts/tasks/agent-loop';
import type { PageState } from '../../contracts/sessions/outbox';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { StepStatus } from '../../contracts/steps/step-result';
import { actReflect, type StepEnd } from './act-reflect';
import { ActiveTimeUp, withinActiveTime } from '../sessions/active-clock';
import { endingActivities } from '../activities/proxies';
import { errorOf, isSuperseded } from '../activities/failures';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from '../sessions/session-run';
import { optionsOf, stepRequestOf } from './step-options';
import { withStepRetries } from './step-retries';
import { beginTask } from '../tasks/task-progress';
import { taskFacts, toolUse, type TaskEnd } from '../tasks/tool-use';

const UNKNOWN_PAGE: PageState = { screenshotId: '', url: 'about:blank' };

/** Runs one step within its time and records its end: exactly one STEP_COMPLETED or STEP_FAILED per STEP_STARTED. */
export async function runStep(
  run: SessionRun,
  pause: PauseControl,
  stepIndex: number,
): Promise<StandardError | 'handover' | undefined> {
  const step = run.steps[stepIndex]!;
  const isGoingOn = run.task !== undefined;
  const startedAt = run.task?.startedAtMs ?? run.clock.activeMs();
  if (step.task !== undefined) run.task ??= beginTask(stepIndex, startedAt);
  run.outbox.patchRow({ currentStep: stepIndex });
  run.updateDetails();
  if (!isGoingOn) {
    run.record(
      'step-processor',
      StreamEventType.STEP_STARTED,
      { step: { stepIndex, stepContent: step.instruction, status: StepStatus.IN_PROGRESS } },
      stepIndex,
    );
  }
  const finish = (status: StepStatus, end: StepEnd): void => {
    const { error, reasoning, page = run.page ?? UNKNOWN_PAGE, facts } = end;
    const durationMs = Math.round(run.clock.activeMs() - startedAt);
    run.outbox.stepResult({ stepIndex, status, reasoning, durationMs, error, page });
    if (error !== undefined && status === StepStatus.FAILED) {
      run.record('executor-streamer', StreamEventType.ERROR_OCCURRED, { error }, stepIndex);
    }
    run.outbox.record(
      'step-processor',
      status === StepStatus.COMPLETED ? StreamEventType.STEP_COMPLETED : StreamEventType.STEP_FAILED,
      { step: { stepIndex, stepContent: step.instruction, status }, ...(error === undefined ? {} : { error }) },
      stepIndex,
      facts === undefined ? {} : { facts },
    );
    run.task = undefined;
    if (status === StepStatus.COMPLETED) run.finishedDurations.push(durationMs);
  };

  try {
    const left = limitOf(run, stepIndex) - (run.clock.activeMs() - startedAt);
    const { task } = run;
    const end = await withinActiveTime(run.clock, left, `limit of step ${stepIndex + 1}`, () =>
      task === undefined
        ? withStepRetries(run, stepIndex, (progress) =>
            actReflect(run, pause, stepRequestOf(run.sessionId, stepIndex, step, run.config), progress),
          )
        : toolUse(run, pause, task).then(toStepEnd),
    );
    if (end === 'handover') return end;
    if (end.isCancelled === true) {
      finish(StepStatus.CANCELLED, end);
      return end.error;
    }
    if (end.error === undefined) {
      finish(StepStatus.COMPLETED, end);
      return undefined;
    }
    finish(StepStatus.FAILED, { ...end, page: (await keepFailure(run, stepIndex)) ?? end.page });
    return end.error;
  } catch (error) {
    run.isSuperseded = isSuperseded(error);
    const cancelled = run.root.consideredCancelled && isCancellation(error);
    const failure = cancelled ? cancelledError(run, stepIndex) : toStepError(run, stepIndex, error);
    const page = cancelled || run.isSuperseded ? undefined : await keepFailure(run, stepIndex);
    const answer = cancelled ? CANCELLED_ANSWER : failure.message;
    const facts = run.task === undefined ? undefined : taskFacts('error', answer, run.task);
    finish(cancelled ? StepStatus.CANCELLED : StepStatus.FAILED, { error: failure, reasoning: '', page, facts });
    if (cancelled) throw error;
    return failure;
  }
}

function toStepEnd(end: TaskEnd): StepEnd | 'handover' {
  if (end.kind === 'handover') return 'handover';
  const { facts } = end;
  const error = end.kind === 'completed' ? undefined : end.error;
  return { error, reasoning: facts.answer, page: undefined, facts, isCancelled: end.kind === 'cancelled' };
}

function limitOf(run: SessionRun, stepIndex: number): number {
  return optionsOf(run.steps[stepIndex]!, run.config).timeoutMs;
}

export function cancelledError(run: SessionRun, stepIndex?: number): StandardError {
  return run.error('TL004', 'The session was cancelled.', {
    stepIndex,
    details: { isCancelled: true },
    suggestedAction: 'Start the session again if it is still wanted.',
  });
}

function toStepError(run: SessionRun, stepIndex: number, error: unknown): StandardError {
  if (error instanceof ActiveTimeUp) {
    const message = `The step was not done within its ${limitOf(run, stepIndex) / 1000} s of active time. Give it more (stepTimeoutMs, or timeoutMs of the step) or split it.`;
    return run.error('SP003', message, { stepIndex });
  }
  if (isCancellation(error)) return sessionTimeUp(run, stepIndex);
  return { ...errorOf(error, 'TL004'), sessionId: run.sessionId, stepIndex };
}

/** The limit around all steps has cancelled this one. */
export function sessionTimeUp(run: SessionRun, stepIndex?: number): StandardError {
  const limit = run.config.timeouts.workflowTimeoutMs / 1000;
  return run.error('SP003', `The session used up its ${limit} s of active time (workflowTimeoutMs).`, { stepIndex });
}

/** Best effort: what can't be kept is not worth failing for, the step has failed already. */
async function keepFailure(run: SessionRun, stepIndex: number): Promise<PageState | undefined> {
  if (run.lease === undefined) return undefined;
  try {
    return await endingActivities(run.lease, 'worker', run.config.timeouts).captureFailure({
      sessionId: run.sessionId,
      stepIndex,
      lease: run.lease,
    });
  } catch {
    return undefined;
  }
}
