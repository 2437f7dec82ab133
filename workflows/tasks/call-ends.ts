import type { ToolEnd } from '../../activities/task-activities';
import { cancelledSummary, cancelledText, cancelledTooLate } from '../../contracts/tools/call-cancellation';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { CallRecords } from './call-records';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from './task-progress';

/** Where a call is run. */
export interface CallContext {
  run: SessionRun;
  pause: PauseControl;
  progress: TaskProgress;
  /** What the model is told beside the results of the turn. */
  notes: string[];
}

/** A call that ran and told its end itself, also when it was cancelled meanwhile: what is through counts. */
export function settle(
  scene: CallContext,
  call: PlannedCall,
  end: Pick<ToolEnd, 'status' | 'isUnknown' | 'isCancelled'>,
): CallEnd {
  const { run, progress } = scene;
  const { callId, name, effect } = call;
  const reason = run.calls.wishFor(callId);
  if (end.isUnknown === true) noteDoubt(progress, call);
  if (reason === undefined) return { callId, status: end.status };
  if (end.isCancelled !== true) {
    scene.notes.push(cancelledTooLate(name, reason));
    return { callId, status: end.status };
  }
  noteDoubt(progress, call);
  const message = cancelledText(effect === 'commit' ? 'unknown' : 'harmless', reason);
  return { callId, status: 'cancelled', message };
}

/** From now on a person is asked before this tool does anything more. */
export function noteDoubt(progress: TaskProgress, { name, effect }: PlannedCall): void {
  if (effect === 'commit' && !progress.doubtful.includes(name)) progress.doubtful.push(name);
}

export function neverRan(
  { run, progress }: CallContext,
  call: PlannedCall,
  status: 'error' | 'cancelled',
  why: string,
): CallEnd {
  const message = `Error: ${why}`;
  new CallRecords(run, progress).unrun(call, why, message);
  return { callId: call.callId, status, message };
}

/** Cancelled on its own before anything of it was done. */
export function neverBegan({ run, progress }: CallContext, call: PlannedCall, reason: string): CallEnd {
  const message = cancelledText('before-it-began', reason);
  new CallRecords(run, progress).unrun(call, cancelledSummary(reason), message);
  return { callId: call.callId, status: 'cancelled', message };
}
