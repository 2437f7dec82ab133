import { cancelledText } from '../../contracts/tools/call-cancellation';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { planActivities } from '../proxies/task-proxies';
import { neverBegan, toCallEnd, type CallContext } from './call-ends';

/** Ends a call that was stopped without a result: no worker had taken it yet, or the worker that had is gone. */
export async function endCallOfCancelledTask(
  context: CallContext,
  call: PlannedCall,
  reason: string,
  commandId?: string,
): Promise<CallEnd> {
  const { session } = context.run;
  const { callId, name, effect } = call;
  const { stepIndex, turn } = context.progress;
  const message = cancelledText(effect === 'commit' ? 'unknown' : 'harmless', reason);
  const outcome = await session.outbox.flushWith((outbox) =>
    planActivities(`end ${name}, which was cancelled`).endCancelledCall({
      sessionId: session.id,
      stepIndex,
      turn,
      callId,
      ...(commandId === undefined ? {} : { commandId }),
      message,
      outbox,
    }),
  );
  if (outcome === 'success' || outcome === 'error') return toCallEnd(context, call, { status: outcome });
  if (outcome === 'unrun') {
    const end = neverBegan(context, call, reason);
    // What comes next may be a long wait.
    await session.publish(`${name} was cancelled`);
    return end;
  }
  context.progress.noteDoubt(call);
  return { callId, status: 'cancelled', message };
}
