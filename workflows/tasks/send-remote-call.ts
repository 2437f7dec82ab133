import { TimeoutType } from '@temporalio/common';
import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { ClientActivities } from '../../activities/signatures/task-activities';
import type { ClientQuestion } from '../../contracts/tools/client-question';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { applicationFailureOf, isNotPickedUp, isSuperseded } from '../proxies/failures';
import { relayActivities } from '../proxies/activity-proxies';
import { clientActivities } from '../proxies/task-proxies';
import type { SessionRun } from '../sessions/session-run';

/** How long the caller's process may take to pick a call up before a warning says that nobody does. */
const FIRST_PICKUP_MS = 10_000;
const LONGEST_PICKUP_MS = 300_000;
/** For a tool that looks something up before it knows. */
const QUESTION_MS = 60_000;
const NOBODY_ANSWERED = 'Nobody answered in time whether this may be done, so it was not done. Nobody has refused it.';

export interface RemoteAnswer {
  result: BrowserToolResult | RelayCallOutput;
  /** Nobody knows whether the call took effect. */
  isUnknown?: true | undefined;
}

/** Sends a call to the browser that is paired over the relay. */
export async function sendToRelay(
  { session }: SessionRun,
  stepIndex: number,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<RemoteAnswer> {
  const { browserSessionId = '', waitForBrowserMs } = session.config.agent;
  const { tenant } = session.start;
  const limits = { toolTimeoutMs: timeoutMs, waitForBrowserMs };
  try {
    const result = await relayActivities(`${call.name} over the relay`, limits).relayCall({
      sessionId: session.id,
      stepIndex,
      browserSessionId,
      callId,
      tool: call.name,
      input: call.args,
      ...(tenant === undefined ? {} : { tenant }),
      waitForBrowserMs,
    });
    return { result, isUnknown: result.isUnknown };
  } catch (error) {
    return answerOfLost(error, call, 'The relay');
  }
}

/**
 * Sends a call to the caller's process and warns when nobody picks it up. It waits for ever in a conversation, whose user
 * may come back in a week, else within the time of the step.
 */
export async function sendToClient(
  run: SessionRun,
  stepIndex: number,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<RemoteAnswer> {
  const { session, task } = run;
  const { name, args, clearance } = call;
  const input = { sessionId: session.id, callId, name, args, ...(clearance === undefined ? {} : { clearance }) };
  return await untilPickedUp(run, { stepIndex, name, timeoutMs }, async ({ executeTool }) => {
    try {
      const dispatch = task.remoteCalls.send(callId);
      return { result: await executeTool({ ...input, dispatch }) };
    } catch (error) {
      const isAsking = task.remoteCalls.isAsking(callId);
      // It has not begun: whoever picks it up next asks again.
      if (isAsking && timeoutOf(error) === TimeoutType.HEARTBEAT) return undefined;
      if (isAsking && isTimedOut(error)) return { result: { success: false, error: NOBODY_ANSWERED } };
      if (isNotPickedUp(error)) throw error;
      return answerOfLost(error, call, 'The process that runs the tools');
    }
  });
}

/** Has the caller's process say whether a person is to be asked before a call of its tool runs. */
export async function askClient(run: SessionRun, stepIndex: number, call: PlannedCall): Promise<ClientQuestion> {
  const { callId, name, args } = call;
  return await untilPickedUp(run, { stepIndex, name, timeoutMs: QUESTION_MS }, async ({ askTool }) => {
    try {
      return await askTool({ sessionId: run.session.id, callId, name, args });
    } catch (error) {
      if (isNotPickedUp(error)) throw error;
      // Nothing has run: the next process says it.
      if (timeoutOf(error) === TimeoutType.HEARTBEAT) return undefined;
      return {
        error: answerOfLost(error, { ...call, effect: 'pure' }, 'The process that runs the tools').result.error,
      };
    }
  });
}

/** Sends something to the caller's process until somebody has picked it up, and again where that came to nothing. */
async function untilPickedUp<T>(
  run: SessionRun,
  { stepIndex, name, timeoutMs }: { stepIndex: number; name: string; timeoutMs: number },
  send: (activities: ClientActivities) => Promise<T | undefined>,
): Promise<T> {
  const { session } = run;
  const { clientQueue: queue = '', stayOpen } = session.config.agent;
  let hasWarned = false;
  try {
    for (let pickupMs = FIRST_PICKUP_MS; ; pickupMs = Math.min(pickupMs * 2, LONGEST_PICKUP_MS)) {
      try {
        const answer = await send(
          clientActivities(`${name} in the caller's process`, { queue, toolTimeoutMs: timeoutMs, pickupMs }),
        );
        if (answer !== undefined) return answer;
      } catch (error) {
        if (!isNotPickedUp(error)) throw error;
        if (stayOpen) session.clock.stop('caller');
        if (!hasWarned) await warnOfNoListener(run, stepIndex, name, queue);
        hasWarned = true;
      }
    }
  } finally {
    session.clock.start('caller');
  }
}

async function warnOfNoListener(
  { session }: SessionRun,
  stepIndex: number,
  tool: string,
  queue: string,
): Promise<void> {
  const message = `Nobody has come to run ${tool}: no process listens on the task queue ${queue}. Start the program that runs this session's tools; the session waits.`;
  session.warn({ code: 'EX001', message }, stepIndex);
  await session.publish('nobody listens for tools');
}

function isTimedOut(error: unknown): boolean {
  return timeoutOf(error) === TimeoutType.START_TO_CLOSE;
}

function timeoutOf(error: unknown): TimeoutType | undefined {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure
    ? error.cause.timeoutType
    : undefined;
}

/** The answer to an attempt without a result. A process that went away in the middle may have carried the call out. */
function answerOfLost(error: unknown, call: PlannedCall, who: string): RemoteAnswer {
  if (CancellationScope.current().consideredCancelled || isCancellation(error) || isSuperseded(error)) throw error;
  const failure = applicationFailureOf(error);
  if (failure !== undefined) return { result: { success: false, error: failure.message } };
  if (!(error instanceof ActivityFailure)) throw error;
  const what = isTimedOut(error) ? 'has timed out' : 'is not connected any more';
  if (call.effect !== 'commit') return { result: { success: false, error: `${who} ${what}.` } };
  const text = `${who} went away, or gave no answer in time: whether this took effect is unknown. Look before doing it again.`;
  return { result: { success: false, error: text }, isUnknown: true };
}
