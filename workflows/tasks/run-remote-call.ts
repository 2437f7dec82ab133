import { TimeoutType } from '@temporalio/common';
import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation, uuid4 } from '@temporalio/workflow';
import { cancelledText } from '../../contracts/tools/call-cancellation';
import type { ToolResult } from '../../contracts/tasks/agent-loop';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import { relayActivities } from '../activities/proxies';
import { clientActivities, planActivities } from '../activities/task-proxies';
import { applicationFailureOf, isNotPickedUp, isSuperseded } from '../activities/failures';
import { noteDoubt, settle, type CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { CallCancelled } from './turn-calls';
import type { SessionRun } from '../sessions/session-run';
import { TurnCancelled } from './turn-control';

/** S0.A7. */
const TRANSIENT = /timed out|not connected|Relay/;
/** How long a process that runs tools for its user may take to come for one before somebody is told. */
const FIRST_PICKUP_MS = 10_000;
const LONGEST_PICKUP_MS = 300_000;
const NOBODY_ANSWERED = 'Nobody answered in time whether this may be done, so it was not done. Nobody has refused it.';

type Elsewhere = Extract<PlannedCall['run'], { kind: 'relay' | 'client' }>;
type Answer = { result: ToolResult | RelayCallOutput; isUnknown?: true | undefined };

/** In a browser or a process that is somebody else's. Only what may be done twice is tried a second time. */
export async function elsewhere(scene: CallContext, call: PlannedCall, how: Elsewhere): Promise<CallEnd> {
  const { run, progress } = scene;
  const startedAt = Date.now();
  const place = { sessionId: run.sessionId, stepIndex: progress.stepIndex, turn: progress.turn };
  const shown = { callId: call.callId, name: call.name, args: call.args };
  const { args } = await run.outbox.flushWith((outbox) =>
    planActivities(`begin ${call.name}`).beginCall({ ...place, call: shown, outbox }),
  );
  const whole = { ...call, args };
  const send = (callId: string): Promise<Answer> =>
    how.kind === 'relay' ? relayed(scene, whole, callId, how.timeoutMs) : byClient(scene, whole, callId, how.timeoutMs);
  const { callId, name, effect } = call;
  /** A person was still asked in the caller's process; that it may begin after all is refused from then on. */
  let wasAsking = false;
  const attempt = async (id: string): Promise<Answer> => {
    try {
      return await run.turns.run(() => run.calls.during(callId, () => send(id)));
    } finally {
      wasAsking = run.elsewhere.isAsking(id);
      run.elsewhere.ended(id);
    }
  };
  let answer: Answer & { cancelled?: string };
  let isRetried = false;
  try {
    answer = await attempt(callId);
    if (effect !== 'commit' && isTransient(answer) && run.calls.wishFor(callId) === undefined) {
      isRetried = true;
      answer = await attempt(`${callId}-2`);
    }
  } catch (error) {
    if (!(error instanceof CallCancelled)) {
      const why = 'It was cancelled while it ran.';
      new CallRecords(run, progress).endedElsewhere(call, why, `Error: ${why} Whether it took effect is unknown.`);
      if (error instanceof TurnCancelled) noteDoubt(progress, call);
      throw error;
    }
    answer = cancelledAnswer(error, call, how.kind, wasAsking);
  }
  const end = await run.outbox.flushWith((outbox) =>
    planActivities(`keep what ${name} gave`).storeToolResult({
      ...place,
      callId,
      toolName: name,
      result: answer.result,
      durationMs: Date.now() - startedAt,
      ...(isRetried ? { isRetried: true as const } : {}),
      ...(answer.isUnknown === true ? { isUnknown: true as const } : {}),
      outbox,
    }),
  );
  if (answer.cancelled === undefined) return settle(scene, call, end);
  if (answer.isUnknown === true) noteDoubt(progress, call);
  return { callId, status: 'cancelled', message: answer.cancelled };
}

/** The relay gives a call back only when nothing of it was sent; what a process was at may have taken effect. */
function cancelledAnswer(
  { reason, isUnsent, cause }: CallCancelled,
  { effect }: PlannedCall,
  kind: Elsewhere['kind'],
  wasAsking: boolean,
): Answer & { cancelled: string } {
  const isGivenBack = kind === 'relay' && isCancellation(cause);
  const how = isUnsent || isGivenBack || wasAsking ? 'before-it-began' : effect === 'commit' ? 'unknown' : 'harmless';
  const cancelled = cancelledText(how, reason);
  const result = { success: false, error: cancelled.replace(/^Error: /, '') };
  return { result, cancelled, ...(how === 'unknown' ? { isUnknown: true } : {}) };
}

function isTransient({ result, isUnknown }: Answer): boolean {
  return isUnknown !== true && !result.success && TRANSIENT.test(result.error ?? '');
}

async function relayed(
  { run, progress }: CallContext,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<Answer> {
  const { browserSessionId = '', waitForBrowserMs } = run.config.agent;
  const { tenant } = run.request;
  try {
    const result = await relayActivities(`${call.name} over the relay`, {
      toolMs: timeoutMs,
      waitForBrowserMs,
    }).relayCall({
      sessionId: run.sessionId,
      stepIndex: progress.stepIndex,
      browserSessionId,
      callId,
      tool: call.name,
      input: call.args,
      ...(tenant === undefined ? {} : { tenant }),
      waitForBrowserMs,
    });
    return { result, isUnknown: result.isUnknown };
  } catch (error) {
    return lost(error, call, 'The relay');
  }
}

/**
 * Waits for the process of the caller and says so when nobody comes: for ever in a conversation, whose user may come back
 * in a week, else within the time of the step.
 */
async function byClient(
  { run, progress }: CallContext,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<Answer> {
  const { clientQueue: queue = '', stayOpen } = run.config.agent;
  const input = { sessionId: run.sessionId, callId, name: call.name, args: call.args };
  let hasTold = false;
  try {
    for (let pickupMs = FIRST_PICKUP_MS; ; pickupMs = Math.min(pickupMs * 2, LONGEST_PICKUP_MS)) {
      try {
        const sent = { ...input, dispatch: run.elsewhere.send(callId) };
        const options = { queue, timeoutMs, pickupMs };
        return { result: await clientActivities(`${call.name} in the caller's process`, options).executeTool(sent) };
      } catch (error) {
        const isAsking = run.elsewhere.isAsking(callId);
        // It has not begun: whoever comes next asks again.
        if (isAsking && isSilent(error)) continue;
        if (isAsking && isLate(error)) return { result: { success: false, error: NOBODY_ANSWERED } };
        if (!isNotPickedUp(error)) return lost(error, call, 'The process that runs the tools');
        if (stayOpen) run.clock.stop('caller');
        if (!hasTold) await tellNobodyListens(run, progress.stepIndex, call.name, queue);
        hasTold = true;
      }
    }
  } finally {
    run.clock.start('caller');
  }
}

async function tellNobodyListens(run: SessionRun, stepIndex: number, tool: string, queue: string): Promise<void> {
  const warning = {
    id: uuid4(),
    code: 'EX001',
    message: `Nobody has come to run ${tool}: no process listens on the task queue ${queue}. Start the program that runs this session's tools; the session waits.`,
    timestamp: new Date(),
    sessionId: run.sessionId,
    stepIndex,
  };
  run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, stepIndex);
  await run.publish('nobody listens for tools');
}

function isSilent(error: unknown): boolean {
  return timeoutOf(error) === TimeoutType.HEARTBEAT;
}

function isLate(error: unknown): boolean {
  return timeoutOf(error) === TimeoutType.START_TO_CLOSE;
}

function timeoutOf(error: unknown): TimeoutType | undefined {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure
    ? error.cause.timeoutType
    : undefined;
}

/** What a try that brought no answer means. A process that went away in the middle has perhaps done it. */
function lost(error: unknown, call: PlannedCall, who: string): Answer {
  if (CancellationScope.current().consideredCancelled || isCancellation(error) || isSuperseded(error)) throw error;
  const failure = applicationFailureOf(error);
  if (failure !== undefined) return { result: { success: false, error: failure.message } };
  if (!(error instanceof ActivityFailure)) throw error;
  const what = isLate(error) ? 'has timed out' : 'is not connected any more';
  if (call.effect !== 'commit') return { result: { success: false, error: `${who} ${what}.` } };
  const text = `${who} went away, or gave no answer in time: whether this took effect is unknown. Look before doing it again.`;
  return { result: { success: false, error: text }, isUnknown: true };
}
