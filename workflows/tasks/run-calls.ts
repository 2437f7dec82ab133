import { cancelledSummary, cancelledText } from '../../contracts/tools/call-cancellation';
import { isTerminalCallStatus, type CallTransition } from '../../contracts/tools/call-states';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { clear, plan } from './clear-calls';
import { CallRecords } from './call-records';
import { isStuck, noteAction, noteNavigation, stuckMessage } from './loop-guards';
import type { PauseControl } from '../waits/pause';
import { runCall } from './run-call';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from './task-progress';

/** `stuckAt`: the task must end, because it would go to this page once too often. */
export interface CallsEnd {
  ends: CallEnd[];
  notes: string[];
  stuckAt?: string;
}

/**
 * Runs the calls of one reply in their order; those that are free of each other side by side, once all of them are
 * cleared. Their ends come in the order of the calls. Whatever stops it, each call has exactly one end in the log.
 */
export async function runCalls(
  run: SessionRun,
  pause: PauseControl,
  progress: TaskProgress,
  calls: readonly PlannedCall[],
): Promise<CallsEnd> {
  const notes: string[] = [];
  const scene = { run, pause, progress, notes };
  const records = new CallRecords(run, progress);
  const ends: CallEnd[] = [];
  /** Ends of calls that were cancelled before they began. */
  const withdrawn = new Map<string, CallEnd>();
  const mark = (callId: string, happening: CallTransition): void => run.calls.mark(callId, happening);
  run.calls.begin(calls, {
    unrun(call, reason) {
      const { callId } = call;
      const message = cancelledText('before-it-began', reason);
      run.approvals.withdraw(callId, reason);
      records.unrun(call, cancelledSummary(reason), message);
      withdrawn.set(callId, { callId, status: 'cancelled', message });
    },
    // Whatever drives a page goes alone, so the batch that is under way is this call's.
    stop: ({ run: how }) => {
      if (how.kind === 'browser') pause.stopBatch();
    },
  });
  const giveUp = (reason: string, text: string): void => {
    for (const call of calls) {
      const end = withdrawn.get(call.callId);
      if (end !== undefined && !ends.includes(end)) ends.push(end);
      const { status } = run.calls.find(call.callId)!;
      if (isTerminalCallStatus(status)) continue;
      // One that was executing has told its end itself.
      if (status !== 'executing') records.unrun(call, reason, text);
      mark(call.callId, { kind: 'cancelled', reason });
      ends.push({ callId: call.callId, status: 'cancelled', message: text });
    }
  };

  let isFirst = true;
  try {
    for (const group of groupsOf(calls)) {
      run.turns.check();
      const wanted = group.filter(({ callId }) => !withdrawn.has(callId));
      const planned = isFirst ? wanted : await planAnew(scene, wanted);
      isFirst = false;
      const stuckAt = planned.find(({ navigatesTo: url }) => url !== undefined && isStuck(progress, url))?.navigatesTo;
      if (stuckAt !== undefined) {
        giveUp('stuck in a loop', `Error: ${stuckMessage(stuckAt)}`);
        return { ends, notes, stuckAt };
      }
      const cleared = await clear(scene, planned, (callId) => mark(callId, { kind: 'asked' }));
      for (const each of cleared) {
        if (withdrawn.has(each.call.callId)) continue;
        if (each.kind === 'run') mark(each.call.callId, { kind: 'cleared' });
        else {
          records.unrun(each.call, each.summary, each.text);
          const kind = each.status === 'error' ? 'failed' : 'cancelled';
          mark(each.call.callId, { kind, reason: each.summary });
        }
      }
      const done = await allOf(
        group.map(async ({ callId }): Promise<CallEnd> => {
          const end = withdrawn.get(callId);
          if (end !== undefined) return end;
          const each = cleared.find((one) => one.call.callId === callId)!;
          if (each.kind === 'unrun') return { callId: each.call.callId, status: each.status, message: each.text };
          const { call } = each;
          mark(call.callId, { kind: 'begun' });
          if (call.navigatesTo !== undefined) noteNavigation(progress, call.navigatesTo);
          const nudge =
            call.actionDigest === undefined ? undefined : noteAction(progress, call.actionDigest, call.name);
          if (nudge !== undefined) notes.push(nudge);
          const ran = await runCall(scene, call);
          mark(callId, happeningOf(ran));
          return ran;
        }),
      );
      ends.push(...done);
    }
  } catch (error) {
    giveUp('cancelled before it ran', 'Error: it was cancelled before it ran.');
    progress.ends = ends;
    throw error;
  } finally {
    run.calls.end();
  }
  return { ends, notes };
}

function happeningOf({ status, message = '' }: CallEnd): CallTransition {
  if (status === 'success') return { kind: 'succeeded' };
  return { kind: status === 'error' ? 'failed' : 'cancelled', reason: message };
}

/** What was before it in the turn may have changed the page that a person is to be shown. */
async function planAnew(
  scene: Parameters<typeof plan>[0] & { pause: PauseControl },
  group: readonly PlannedCall[],
): Promise<readonly PlannedCall[]> {
  const { approvalMode } = scene.run.config.agent;
  const mayBeAsked = (call: PlannedCall): boolean => call.card !== undefined && approvalMode !== 'yolo';
  return await Promise.all(group.map(async (call) => (mayBeAsked(call) ? await plan(scene, call, {}) : call)));
}

/** Waits for all of them, also when one has failed: nothing may still be under way when the turn is given up. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** Free calls that follow each other go together; whatever drives a page goes alone. */
function groupsOf(calls: readonly PlannedCall[]): PlannedCall[][] {
  const isFree = ({ run }: PlannedCall): boolean => run.kind === 'tool' && run.isFree;
  const groups: PlannedCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && isFree(call) && last.every(isFree)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
