import type { ToolEnd } from '../../activities/signatures/task-activities';
import { cancelledSummary, cancelledText, cancelledTooLate } from '../../contracts/tools/call-cancellation';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { SessionRun } from '../sessions/session-run';
import { CallRecords } from './call-records';
import type { TaskProgress } from '../turns/task-progress';

/** Where a call is run. */
export interface CallContext {
  run: SessionRun;
  progress: TaskProgress;
  /** Notes for the model beside the results of the turn. */
  notes: string[];
}

/** The end of a call that ran and recorded its end itself. One that was cancelled too late counts as it ended. */
export function toCallEnd(
  { run, progress, notes }: CallContext,
  call: PlannedCall,
  end: Pick<ToolEnd, 'status' | 'failure' | 'isUnknown' | 'isCancelled'>,
): CallEnd {
  const { callId, name, effect } = call;
  const reason = run.task.calls.cancellationOf(callId);
  if (end.isUnknown === true) progress.noteDoubt(call);
  const failure = end.failure === undefined ? {} : { failure: end.failure };
  if (reason === undefined) return { callId, status: end.status, ...failure };
  if (end.isCancelled !== true) {
    notes.push(cancelledTooLate(name, reason));
    return { callId, status: end.status, ...failure };
  }
  progress.noteDoubt(call);
  const message = cancelledText(effect === 'commit' ? 'unknown' : 'harmless', reason);
  return { callId, status: 'cancelled', message };
}

export function neverRan(
  { run, progress }: CallContext,
  call: PlannedCall,
  status: 'error' | 'cancelled',
  why: string,
): CallEnd {
  const message = `Error: ${why}`;
  new CallRecords(run.session, progress).unrun(call, why, message);
  return { callId: call.callId, status, message };
}

/** The end of a call that was cancelled alone before it began. */
export function neverBegan({ run, progress }: CallContext, call: PlannedCall, reason: string): CallEnd {
  const message = cancelledText('before-it-began', reason);
  new CallRecords(run.session, progress).unrun(call, cancelledSummary(reason), message);
  return { callId: call.callId, status: 'cancelled', message };
}
