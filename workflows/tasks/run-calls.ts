import { patched } from '@temporalio/workflow';
import { cancelledSummary, cancelledText } from '../../contracts/tools/call-cancellation';
import { isTerminalCallStatus, type CallTransition } from '../../contracts/tools/call-states';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { SessionRun } from '../sessions/session-run';
import type { CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { clearCalls, replan, type Clearance } from './clear-calls';
import { circleMessage, stuckMessage, waitDigest, type LoopGuard } from '../turns/loop-guard';
import { runCall } from './run-call';
import type { TaskProgress } from '../turns/task-progress';

export interface CallsEnd {
  ends: CallEnd[];
  notes: string[];
  /** Why the task must end: it would go in circles. */
  stuck?: Stuck;
}

interface Stuck {
  message: string;
  /** The page that would be opened once too often. */
  url?: string;
}

/**
 * Runs the calls of one reply in their order. Calls that are independent of each other run side by side, once all of them
 * are cleared. The ends come in the order of the calls. Whatever stops the turn, each call has exactly one end in the log.
 */
export async function runCalls(
  run: SessionRun,
  progress: TaskProgress,
  calls: readonly PlannedCall[],
): Promise<CallsEnd> {
  const notes: string[] = [];
  const context: CallContext = { run, progress, notes };
  const turn = beginTurn(context, calls);
  try {
    for (const [index, group] of groupsOf(calls).entries()) {
      run.task.turns.check();
      const wanted = group.filter(({ callId }) => !turn.withdrawn.has(callId));
      if (hasFailedBefore(calls, turn.ends) && wanted.some(acts) && patched('failure-ends-turn')) {
        turn.giveUp('skipped: a call before it failed', NOT_AFTER_FAILURE);
        return { ends: turn.ends, notes };
      }
      const planned = index === 0 ? wanted : await replanForApproval(context, wanted);
      const stuck = stuckBy(progress.guard, planned);
      if (stuck !== undefined) {
        turn.giveUp('stuck in a loop', `Error: ${stuck.message}`);
        return { ends: turn.ends, notes, stuck };
      }
      const cleared = await clearCalls(context, planned, (callId) => turn.mark(callId, { kind: 'asked' }));
      for (const clearance of cleared) turn.markCleared(clearance);
      const ends = group.map(async ({ callId }): Promise<CallEnd> => {
        const end = turn.withdrawn.get(callId);
        if (end !== undefined) return end;
        const clearance = cleared.find(({ call }) => call.callId === callId)!;
        if (clearance.kind === 'unrun') return { callId, status: clearance.status, message: clearance.text };
        turn.mark(callId, { kind: 'begun' });
        const ran = await runGuarded(context, clearance.call);
        turn.mark(callId, toTransition(ran));
        return ran;
      });
      turn.ends.push(...(await allSettled(ends)));
    }
  } catch (error) {
    turn.giveUp('cancelled before it ran', 'Error: it was cancelled before it ran.');
    progress.callsEnded(turn.ends);
    throw error;
  } finally {
    run.task.calls.end();
  }
  return { ends: turn.ends, notes };
}

const NOT_AFTER_FAILURE = 'It was not run: a call before it failed.';

/** Whether a call that was for the session's own page has failed: what follows it was meant for what it should have done. */
function hasFailedBefore(calls: readonly PlannedCall[], ends: readonly CallEnd[]): boolean {
  return ends.some(({ callId, status }) => {
    const kind = calls.find((call) => call.callId === callId)?.run.kind;
    return status === 'error' && (kind === 'browser' || kind === 'refused');
  });
}

function acts({ run, effect }: PlannedCall): boolean {
  return run.kind === 'browser' && effect !== 'pure';
}

function stuckBy(guard: LoopGuard, planned: readonly PlannedCall[]): Stuck | undefined {
  const url = planned.find(({ navigatesTo }) => navigatesTo !== undefined && guard.isStuck(navigatesTo))?.navigatesTo;
  if (url !== undefined) return { message: stuckMessage(url), url };
  for (const call of planned) {
    const digest = digestOf(call);
    const round = digest === undefined ? 0 : guard.circleWith(digest);
    // Histories of sessions that began before have no end there.
    if (round > 0 && patched('circles-end')) return { message: circleMessage(round, call.name) };
  }
  return undefined;
}

function digestOf({ actionDigest, run }: PlannedCall): string | undefined {
  const isWaiting = run.kind === 'browser' && run.command.action === 'WAIT_FOR';
  return actionDigest !== undefined && isWaiting ? waitDigest(actionDigest) : actionDigest;
}

/** Registers the calls of a turn, so that each can be cancelled alone, and records the ends of those that never run. */
function beginTurn({ run, progress }: CallContext, calls: readonly PlannedCall[]) {
  const records = new CallRecords(run.session, progress);
  const ends: CallEnd[] = [];
  /** Ends of calls that were cancelled before they began. */
  const withdrawn = new Map<string, CallEnd>();
  const mark = (callId: string, transition: CallTransition): void => run.task.calls.mark(callId, transition);
  run.task.calls.begin(calls, {
    unrun(call, reason) {
      const { callId } = call;
      const message = cancelledText('before-it-began', reason);
      run.approvals.withdraw(callId, reason);
      records.unrun(call, cancelledSummary(reason), message);
      withdrawn.set(callId, { callId, status: 'cancelled', message });
    },
    // A call that drives a page runs alone, so the batch that is under way is that of this call.
    stop: ({ callId, run: { kind } }, reason) => {
      // A call whose page would have sent something else is asked about again while it runs.
      run.approvals.withdraw(callId, reason);
      if (kind === 'browser') run.batch.stop();
    },
  });
  return {
    ends,
    withdrawn: withdrawn as ReadonlyMap<string, CallEnd>,
    mark,
    markCleared(clearance: Clearance): void {
      const { call } = clearance;
      if (withdrawn.has(call.callId)) return;
      if (clearance.kind === 'run') return mark(call.callId, { kind: 'cleared' });
      records.unrun(call, clearance.summary, clearance.text);
      const kind = clearance.status === 'error' ? 'failed' : 'cancelled';
      mark(call.callId, { kind, reason: clearance.summary });
    },
    giveUp(reason: string, text: string): void {
      for (const call of calls) {
        const { callId } = call;
        const end = withdrawn.get(callId);
        if (end !== undefined && !ends.includes(end)) ends.push(end);
        const { status } = run.task.calls.find(callId)!;
        if (isTerminalCallStatus(status)) continue;
        // A call that was executing has recorded its end itself.
        if (status !== 'executing') records.unrun(call, reason, text);
        mark(callId, { kind: 'cancelled', reason });
        ends.push({ callId, status: 'cancelled', message: text });
      }
    },
  };
}

async function runGuarded(context: CallContext, call: PlannedCall): Promise<CallEnd> {
  const { guard } = context.progress;
  const { navigatesTo, name } = call;
  const digest = digestOf(call);
  if (navigatesTo !== undefined) guard.noteNavigation(navigatesTo);
  const reminder = digest === undefined ? undefined : guard.noteAction(digest, name);
  if (reminder !== undefined) context.notes.push(reminder);
  return await runCall(context, call);
}

function toTransition({ status, message = '' }: CallEnd): CallTransition {
  if (status === 'success') return { kind: 'succeeded' };
  return { kind: status === 'error' ? 'failed' : 'cancelled', reason: message };
}

/** Earlier calls of the turn may have changed the page that a person is to be shown. */
async function replanForApproval(context: CallContext, group: readonly PlannedCall[]): Promise<readonly PlannedCall[]> {
  const { approvalMode } = context.run.session.config.agent;
  // A call in the browser is planned anew when it is shown.
  const mayNeedApproval = ({ card, run }: PlannedCall): boolean =>
    card !== undefined && run.kind !== 'browser' && approvalMode !== 'yolo';
  return await Promise.all(group.map(async (call) => (mayNeedApproval(call) ? await replan(context, call, {}) : call)));
}

/** Waits for all of them, also when one has failed: nothing may still be under way when the turn is given up. */
async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** Independent calls that follow each other form a group; a call that drives a page is a group of its own. */
function groupsOf(calls: readonly PlannedCall[]): PlannedCall[][] {
  const isIndependent = ({ run }: PlannedCall): boolean => run.kind === 'tool' && run.isFree;
  const groups: PlannedCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && isIndependent(call) && last.every(isIndependent)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
