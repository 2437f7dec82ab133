import type { Approval, DecideApprovalRequest } from '../../contracts/approvals/approval';
import {
  approvalNeed,
  infoCard,
  rememberedApprovalOf,
  type ApprovalNeed,
  type CallFacts,
} from '../../contracts/approvals/approval-policy';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { ToolConfirmationOutcome } from '../../contracts/tools/tool';
import { planActivities } from '../proxies/task-proxies';
import { observePage } from '../browsers/run-batch';
import type { SessionRun } from '../sessions/session-run';
import type { ApprovalAnswer } from '../waits/pending-approvals';
import type { TaskProgress } from './task-progress';

/** Whether a call may run, and as what: a person may have changed its arguments. */
export type Clearance =
  | { kind: 'run'; call: PlannedCall }
  | { kind: 'unrun'; call: PlannedCall; status: 'error' | 'cancelled'; summary: string; text: string };

interface Context {
  run: SessionRun;
  progress: TaskProgress;
}

type Card = Extract<ApprovalNeed, { kind: 'ask' }>['card'];

const EXPIRED_TEXT =
  'Error: nobody answered the question whether this may be done in time, so it was not done. Nobody has refused it.';

/**
 * Clears calls that are to run together. Those that need an approval are asked for at once. An answer is valid for the call
 * as it was shown: when the page reads otherwise by the time of the answer, the call is shown anew and asked for again. A
 * call that is cancelled meanwhile is not among the results.
 */
export async function clearCalls(
  context: Context,
  calls: readonly PlannedCall[],
  onAsked: (callId: string) => void,
): Promise<Clearance[]> {
  const { task, approvals } = context.run;
  const cleared = new Map<string, Clearance>();
  let asking: { call: PlannedCall; card: Card }[] = [];
  for (const call of calls) {
    const need = needOf(context, call);
    if (need.kind === 'ask') asking.push({ call, card: need.card });
    else cleared.set(call.callId, { kind: 'run', call });
  }
  const isOpen = ({ call }: { call: PlannedCall }): boolean => !task.calls.isEnded(call.callId);
  for (let round = 1; asking.length > 0; round += 1) {
    for (const { call } of asking) onAsked(call.callId);
    const questions = asking.map(({ call, card }) => toApproval(context, call, card, round));
    const answers = await task.turns.run(() => approvals.ask(questions));
    if ([...answers.values()].some(isApproved)) await observeAgain(context);
    const again: typeof asking = [];
    for (const [index, { call, card }] of asking.entries()) {
      const answer = answers.get(questions[index]!.approvalId)!;
      if (answer.kind === 'withdrawn' || !isOpen({ call })) continue;
      const clearance = await afterAnswer(context, call, answer);
      if (clearance.kind === 'changed') again.push({ call: clearance.call, card: clearance.call.card ?? card });
      else cleared.set(call.callId, clearance);
    }
    asking = again.filter(isOpen);
  }
  return calls.flatMap(({ callId }) => cleared.get(callId) ?? []);
}

function isApproved(answer: ApprovalAnswer): boolean {
  return answer.kind === 'decided' && answer.decision.outcome !== ToolConfirmationOutcome.Cancel;
}

function needOf({ run, progress }: Context, call: PlannedCall): ApprovalNeed {
  if (call.run.kind === 'refused') return { kind: 'none' };
  const { name, card } = call;
  const doubt = progress.doubtOf(call);
  if (doubt !== undefined) {
    const prompt = `An earlier ${doubt} was begun and nobody knows whether it took effect. Look for its effect first: this call may do the same a second time.`;
    return { kind: 'ask', card: infoCard(name, prompt) };
  }
  if (card !== undefined && call.requiresApproval === true) return { kind: 'ask', card };
  return approvalNeed(run.session.config.agent.approvalMode, factsOf(call), card, run.approvals.remembered);
}

function factsOf({ scope, classification }: PlannedCall): CallFacts {
  return { ...scope, classification };
}

function toApproval({ run, progress }: Context, call: PlannedCall, card: Card, round: number): Approval {
  const { callId, name, args, classification, hash, pageUrl } = call;
  const { approvalTimeoutMs } = run.session.config.agent;
  const now = Date.now();
  return {
    // Derived from the call, so that every attempt to write it writes the same one.
    approvalId: `${callId.replace(/^call_/, 'appr_')}${round === 1 ? '' : `-${round}`}`,
    sessionId: run.session.id,
    callId,
    toolName: name,
    args,
    classification,
    card,
    hash,
    ...(pageUrl === undefined ? {} : { pageUrl }),
    stepIndex: progress.stepIndex,
    turn: progress.turn,
    status: 'pending',
    askedAt: new Date(now).toISOString(),
    ...(approvalTimeoutMs === undefined ? {} : { expiresAt: new Date(now + approvalTimeoutMs).toISOString() }),
  };
}

/** The answer may have taken days, and the browser may be another one. */
async function observeAgain({ run, progress }: Context): Promise<void> {
  await run.pause.safePoint();
  if (run.session.config.agent.executor !== 'playwright' || run.browser.page === undefined) return;
  await observePage(run, progress);
  run.task.turns.check();
}

async function afterAnswer(
  context: Context,
  call: PlannedCall,
  answer: Exclude<ApprovalAnswer, { kind: 'withdrawn' }>,
): Promise<Clearance | { kind: 'changed'; call: PlannedCall }> {
  const unrun = (status: 'error' | 'cancelled', summary: string, text: string): Clearance => {
    return { kind: 'unrun', call, status, summary, text };
  };
  if (answer.kind === 'expired') return unrun('cancelled', 'expired: nobody answered in time', EXPIRED_TEXT);
  const { outcome, reason, args, newContent } = answer.decision;
  if (outcome === ToolConfirmationOutcome.Cancel) {
    const why = reason === undefined || reason === '' ? '' : ` Their reason: ${reason}`;
    const text = `Error: the user rejected this call, and it was not done.${why}`;
    return unrun('cancelled', `rejected by user${reason ? `: ${reason}` : ''}`, text);
  }
  const isEdited = outcome === ToolConfirmationOutcome.ModifyWithEditor;
  if (isEdited && args === undefined && newContent === undefined)
    return unrun('cancelled', 'No modification content provided', 'Error: No modification content provided.');

  const fresh = await replan(context, call, {});
  if (fresh.run.kind === 'refused') return unrun('error', fresh.run.message, `Error: ${fresh.run.message}`);
  if (fresh.hash !== call.hash) return { kind: 'changed', call: fresh };
  if (isEdited) {
    const edited = await replan(context, call, { args, newContent });
    const { run: how } = edited;
    return how.kind === 'refused'
      ? unrun('error', how.message, `Error: the arguments were changed by the user, and are not valid: ${how.message}`)
      : { kind: 'run', call: edited };
  }
  const remembered = rememberedApprovalOf(outcome, factsOf(call));
  if (remembered !== undefined) context.run.approvals.remember(remembered);
  return { kind: 'run', call: fresh };
}

/** Plans the same call on the page as it is now, or with the arguments that a person has edited. */
export async function replan(
  { run, progress }: Context,
  { callId, name }: PlannedCall,
  change: Pick<DecideApprovalRequest, 'args' | 'newContent'>,
): Promise<PlannedCall> {
  const { stepIndex, turn } = progress;
  return await planActivities(`plan ${name} anew`).planCall({
    sessionId: run.session.id,
    stepIndex,
    turn,
    callId,
    ...change,
  });
}
