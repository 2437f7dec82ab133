import {
  CancellationScope,
  CancelledFailure,
  isCancellation,
  patched,
  setCurrentDetails,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { StreamEventType } from '../contracts/events/stream-event';
import { SessionStatus } from '../contracts/sessions/session';
import type { SessionOutcome } from '../contracts/sessions/outcome';
import { MOST_CARRIED } from '../contracts/sessions/size-limits';
import type { PlannedStart } from '../contracts/sessions/start-request';
import { applicationFailureOf, errorOf, isSuperseded } from './proxies/failures';
import { engineActivities } from './proxies/activity-proxies';
import { ActiveTimeUp, withinActiveTime } from './state/active-clock';
import { continueSessionAsNew, isContinueAsNewDue } from './sessions/continue-as-new';
import { recordDoneSteps, refusedAfterReset } from './sessions/after-reset';
import { endSession, type SessionEnding } from './sessions/ending';
import { sessionTimeUpError, toWorkflowFailure } from './state/errors';
import { EarlyMessages } from './state/early-messages';
import { handleMessages } from './messages/handle-messages';
import { isPlanned, planSession, type SessionInput } from './sessions/session-input';
import { createSessionRun, type ContinuedState, type SessionRun } from './sessions/session-run';
import { handleEngine } from './messages/handle-engine';
import { runInParallel } from './parallel/run-parallel';
import { runStep } from './steps/run-step';
import { waitUntilDue } from './waits/not-before';

/** A session: its steps one after the other, in one browser, or at once in browsers of their own, with exactly one terminal event at the end of its log. */
export async function session(input: SessionInput): Promise<SessionOutcome> {
  const earlyMessages = new EarlyMessages();
  if (!isPlanned(input)) earlyMessages.hold();
  const run = startRun(isPlanned(input) ? input : await planSession(input), earlyMessages);
  handleMessages(run);
  handleEngine(run);
  const ending = await runToEnd(run);
  const { forkId } = await CancellationScope.nonCancellable(() => endSession(run, ending));
  if (forkId !== undefined) return forkedOutcome(run, forkId);
  if (ending.kind === 'cancelled') throw ending.cause;
  if (ending.kind !== 'completed') throw toWorkflowFailure(ending.error);
  const { id: sessionId, status, steps, result } = run.session;
  const outcome = { sessionId, status, completedSteps: steps.completed.count };
  if (result === undefined) return outcome;
  const { value, ...resultInfo } = result;
  return { ...outcome, ...(value === undefined ? {} : { result: value }), resultInfo };
}

/** The session had ended before its workflow was reset: another one goes on. */
function forkedOutcome({ session: { steps } }: SessionRun, sessionId: string): SessionOutcome {
  setCurrentDetails(`This session had ended before its workflow was reset. It goes on as session ${sessionId}.`);
  return { sessionId, status: SessionStatus.INITIALIZING, completedSteps: steps.completed.count };
}

function startRun(
  { continued, ...start }: PlannedStart & { continued?: ContinuedState },
  earlyMessages: EarlyMessages,
): SessionRun {
  const run = createSessionRun(start, continued, earlyMessages);
  upsertMemo({ steps: run.session.steps.shown.instructions.slice(-MOST_CARRIED) });
  if (continued !== undefined) return run;
  recordStart(run, start.plan.warnings);
  if (start.plan.afterReset !== undefined) recordDoneSteps(run, start.plan.afterReset);
  return run;
}

function recordStart({ session }: SessionRun, warnings: readonly string[]): void {
  const { total: totalSteps } = session.steps;
  session.record('step-processor', StreamEventType.WORKFLOW_STARTED, {
    message: `Session started: ${totalSteps} ${totalSteps === 1 ? 'step' : 'steps'}.`,
    details: { totalSteps },
  });
  for (const message of warnings) session.warn({ code: 'SP001', message });
  session.setStatus(SessionStatus.ACTIVE);
}

async function runToEnd(run: SessionRun): Promise<SessionEnding> {
  const { session } = run;
  try {
    await open(run);
    const left = session.config.timeouts.workflowTimeoutMs - session.clock.activeMs();
    return await Promise.race([
      withinActiveTime(session.clock, left, 'limit of the session', () => runSteps(run)),
      refusedAfterReset(run),
    ]);
  } catch (error) {
    if (error instanceof ActiveTimeUp) return { kind: 'failed', error: sessionTimeUpError(session) };
    if (isCancellation(error)) return { kind: 'cancelled', cause: new CancelledFailure('The session was cancelled.') };
    // Continue-as-new travels as an exception as well.
    if (applicationFailureOf(error) === undefined) throw error;
    return { kind: isSuperseded(error) ? 'superseded' : 'failed', error: errorOf(error, 'SP002') };
  }
}

/** Makes this run the one that may write, and creates a row that got lost when the session was started. */
async function open({ session, browser, budget }: SessionRun): Promise<void> {
  const { continuedFromExecutionRunId: continuedFrom } = workflowInfo();
  const { plan, isStored } = session.start;
  const opened = await session.outbox.flushWith(async (outbox) => {
    const { openSession } = engineActivities('open the session');
    if (continuedFrom !== undefined) return await openSession({ continuedFrom, outbox });
    if (isStored === true) return await openSession({ outbox });
    return (await openSession({ hasPlan: true, outbox })) ?? (await openSession({ plan, outbox }));
  });
  if (opened === null) throw new Error('A session with a plan was not opened.');
  session.opened(opened);
  browser.opened(opened);
  budget.opened(opened);
}

/** Runs the steps strictly in order and stops at the first that fails, unless they are to run at once (S1.A25). */
async function runSteps(run: SessionRun): Promise<SessionEnding> {
  const { session, browser, conversation } = run;
  const { steps } = session;
  const { stayOpen } = session.config.agent;
  await waitUntilDue(session);
  if (session.config.parallelExecution === true && patched('steps-at-once')) return await runInParallel(run);
  if (browser.lease === undefined && steps.remainingCount > 0 && needsBrowserAtOnce(run)) browser.acquireAhead();
  for (;;) {
    while (steps.remainingCount > 0) {
      await steps.refill((stepIndex, count) =>
        engineActivities(`read ${count} further steps`).readSteps({ sessionId: session.id, stepIndex, count }),
      );
      const result = await runStep(run);
      if (result.kind === 'handover') return await continueSessionAsNew(run);
      // A conversation goes on after a task that failed, unless the whole session is cancelled or superseded.
      if (
        result.kind === 'superseded' ||
        (result.kind === 'failed' && (!stayOpen || CancellationScope.current().consideredCancelled))
      )
        return result;
      steps.advance();
      run.ahead.record(steps.index, () => session.recordProgress());
      const isUnderWay = run.ahead.isBegun(steps.index);
      if ((steps.remainingCount > 0 || stayOpen) && !isUnderWay && isContinueAsNewDue())
        await continueSessionAsNew(run);
    }
    if (!stayOpen || conversation.isClosing || !(await conversation.waitForTask())) return { kind: 'completed' };
  }
}

/**
 * A session of tasks whose tools run in a paired browser, or in the caller's process, needs no browser of ours. A conversation
 * gets one for the first tool that needs it: people may only talk.
 */
function needsBrowserAtOnce({ session: { config, steps } }: SessionRun): boolean {
  const { executor, stayOpen } = config.agent;
  return (executor === 'playwright' && !stayOpen) || steps.someRemaining(({ task }) => task === undefined);
}
