import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { neverBegan, neverRan, type CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { clearCalls, type Clearance } from './clear-calls';

type Command = Extract<PlannedCall['run'], { kind: 'browser' }>['command'];

/** Whether a call may run a second time, and as which command. */
type SecondClearance = { kind: 'run'; call: PlannedCall; command: Command } | { kind: 'ended'; end: CallEnd };

const PAGE_GONE = 'Something else would have left than was approved, and now the page is another one: read it again.';

/**
 * Asks about a call again whose page would have sent something else than was approved. The question says what differs, and
 * a yes is for that.
 */
export async function askAgain(
  context: CallContext,
  call: PlannedCall,
  differences: string[],
): Promise<SecondClearance> {
  const { run, progress } = context;
  const records = new CallRecords(run.session, progress);
  let cleared: Clearance[];
  try {
    cleared = await clearCalls(context, [{ ...call, isAskedAgain: true }], () => {}, differences);
  } catch (error) {
    records.unrun(call, 'cancelled before it ran', 'Error: it was cancelled before it ran.');
    throw error;
  }
  const [clearance] = cleared;
  if (clearance === undefined) {
    const reason = run.task.calls.cancellationOf(call.callId) ?? '';
    return { kind: 'ended', end: neverBegan(context, call, reason) };
  }
  if (clearance.kind === 'unrun') {
    records.unrun(call, clearance.summary, clearance.text);
    return { kind: 'ended', end: { callId: call.callId, status: clearance.status, message: clearance.text } };
  }
  const { run: how } = clearance.call;
  if (how.kind !== 'browser') return { kind: 'ended', end: neverRan(context, call, 'error', PAGE_GONE) };
  return { kind: 'run', call: clearance.call, command: how.command };
}
