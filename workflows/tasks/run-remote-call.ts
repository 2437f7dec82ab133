import { isCancellation } from '@temporalio/workflow';
import { cancelledText } from '../../contracts/tools/call-cancellation';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { planActivities } from '../proxies/task-proxies';
import { toCallEnd, type CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { sendToClient, sendToRelay, type RemoteAnswer } from './send-remote-call';
import { CallCancelled } from '../turns/turn-calls';
import { TurnCancelled } from '../turns/turn-control';

/** S0.A7. */
const TRANSIENT = /timed out|not connected|Relay/;

type RemoteExecutor = Extract<PlannedCall['run'], { kind: 'relay' | 'client' }>;
type CallAnswer = RemoteAnswer & { cancelled?: string };

/** Runs a call in a paired browser, or in the caller's process. Only a call that may be done twice is tried a second time. */
export async function runRemoteCall(
  context: CallContext,
  call: PlannedCall,
  executor: RemoteExecutor,
): Promise<CallEnd> {
  const { run, progress } = context;
  const { callId, name } = call;
  const startedAt = Date.now();
  const key = { sessionId: run.session.id, stepIndex: progress.stepIndex, turn: progress.turn };
  const { args } = await run.session.outbox.flushWith((outbox) =>
    planActivities(`begin ${name}`).beginCall({ ...key, call: { callId, name, args: call.args }, outbox }),
  );
  const { answer, isRetried } = await answerOf(context, { ...call, args }, executor);
  const end = await run.session.outbox.flushWith((outbox) =>
    planActivities(`store the result of ${name}`).storeToolResult({
      ...key,
      callId,
      toolName: name,
      result: answer.result,
      durationMs: Date.now() - startedAt,
      ...(isRetried ? { isRetried: true as const } : {}),
      ...(answer.isUnknown === true ? { isUnknown: true as const } : {}),
      outbox,
    }),
  );
  if (answer.cancelled === undefined) return toCallEnd(context, call, end);
  if (answer.isUnknown === true) progress.noteDoubt(call);
  return { callId, status: 'cancelled', message: answer.cancelled };
}

async function answerOf(
  { run, progress }: CallContext,
  call: PlannedCall,
  { kind, timeoutMs }: RemoteExecutor,
): Promise<{ answer: CallAnswer; isRetried: boolean }> {
  const { callId, effect } = call;
  const { turns, calls, remoteCalls } = run.task;
  const send = kind === 'relay' ? sendToRelay : sendToClient;
  /** A person was still asked in the caller's process; from now on the call may not begin there. */
  let wasAsking = false;
  const attempt = async (id: string): Promise<RemoteAnswer> => {
    try {
      return await turns.run(() => calls.during(callId, () => send(run, progress.stepIndex, call, id, timeoutMs)));
    } finally {
      wasAsking = remoteCalls.isAsking(id);
      remoteCalls.ended(id);
    }
  };
  let isRetried = false;
  try {
    const answer = await attempt(callId);
    if (effect === 'commit' || !isTransient(answer) || calls.cancellationOf(callId) !== undefined)
      return { answer, isRetried };
    isRetried = true;
    return { answer: await attempt(`${callId}-2`), isRetried };
  } catch (error) {
    if (error instanceof CallCancelled) return { answer: cancelledAnswer(error, call, kind, wasAsking), isRetried };
    const why = 'It was cancelled while it ran.';
    const records = new CallRecords(run.session, progress);
    records.remoteCancelled(call, why, `Error: ${why} Whether it took effect is unknown.`);
    if (error instanceof TurnCancelled) progress.noteDoubt(call);
    throw error;
  }
}

/** The relay returns a cancelled call only when nothing of it was sent; what a process had begun may have taken effect. */
function cancelledAnswer(
  { reason, isUnsent, cause }: CallCancelled,
  { effect }: PlannedCall,
  kind: RemoteExecutor['kind'],
  wasAsking: boolean,
): CallAnswer {
  const isUnsentByRelay = kind === 'relay' && isCancellation(cause);
  const isUnbegun = isUnsent || isUnsentByRelay || wasAsking;
  const how = isUnbegun ? 'before-it-began' : effect === 'commit' ? 'unknown' : 'harmless';
  const cancelled = cancelledText(how, reason);
  const result = { success: false, error: cancelled.replace(/^Error: /, '') };
  return { result, cancelled, ...(how === 'unknown' ? { isUnknown: true } : {}) };
}

function isTransient({ result, isUnknown }: RemoteAnswer): boolean {
  return isUnknown !== true && !result.success && TRANSIENT.test(result.error ?? '');
}
