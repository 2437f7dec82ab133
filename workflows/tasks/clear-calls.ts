import { CancellationScope, condition } from '@temporalio/workflow';
import { changesBetween } from '../../contracts/browsers/approval-view';
import type { ConfirmationCard, DecideApprovalRequest } from '../../contracts/approvals/approval';
import {
  approvalNeed,
  infoCard,
  REJECTED,
  REJECTED_TEXT,
  rememberedApprovalOf,
  type ApprovalNeed,
  type ApprovalFacts,
} from '../../contracts/approvals/approval-policy';
import type { ClientClearance, ClientQuestion } from '../../contracts/tools/client-question';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { planActivities } from '../proxies/task-proxies';
import { observePage } from '../sessions/run-batch';
import type { SessionRun } from '../sessions/session-run';
import type { ApprovalAnswer } from '../waits/pending-approvals';
import { toApproval, type Question } from './approval-question';
import { leadBack } from './lead-back';
import { askClient } from './send-remote-call';
import type { TaskProgress } from '../turns/task-progress';

/** Whether a call may run, and as what: a person may have changed its arguments. */
export type Clearance =
  | { kind: 'run'; call: PlannedCall }
  | { kind: 'unrun'; call: PlannedCall; status: 'error' | 'cancelled'; summary: string; text: string };

type Change = Pick<DecideApprovalRequest, 'args' | 'newContent'>;

/** What a task or a step remembers of its questions. */
export type Asking = Pick<TaskProgress, 'stepIndex' | 'turn' | 'doubtOf' | 'takeApproved' | 'keepApproved'>;

interface Context {
  run: SessionRun;
  progress: Asking;
  /** Plans a call on the page as it is now; the calls of a task are planned by their stored arguments. */
  planAnew?: ((call: PlannedCall, change: Change) => Promise<PlannedCall>) | undefined;
}

/** Looks at a page until one look was not prevented by a pause or a lost browser. */
const MOST_LOOKS = 3;
const PAGE_GONE = 'What was approved is not on the page any more, so it was not done yet.';
const LEAD_BACK =
  'Lead the page there again (open the dialog, the menu or the step) and call it again: where it reads as it was shown, it is done and nobody is asked again.';
const OTHER_REQUEST = 'Something else would have left than was approved.';
const EXPIRED_TEXT =
  'Error: nobody answered the question whether this may be done in time, so it was not done. Nobody has refused it.';

/**
 * Clears calls that are to run together. Those that need an approval are asked for at once. An answer is valid for the call
 * as it was shown: when the page reads otherwise by the time of the answer, the call is shown anew and asked for again. A
 * call that is cancelled meanwhile is not among the results. `differences` says what would have left in place of what was
 * approved, of a call that is asked about again.
 */
export async function clearCalls(
  context: Context,
  calls: readonly PlannedCall[],
  onAsked: (callId: string) => void,
  differences: string[] = [],
): Promise<Clearance[]> {
  const { run, progress } = context;
  const cleared = new Map<string, Clearance>();
  let asking: Question[] = [];
  for (const planned of calls) {
    const each = await askedOfClient(context, planned);
    if (each.run.kind === 'refused' && planned.run.kind === 'client') {
      const { message } = each.run;
      cleared.set(each.callId, {
        kind: 'unrun',
        call: each,
        status: 'error',
        summary: message,
        text: `Error: ${message}`,
      });
      continue;
    }
    // Before anything is open there is nothing to be shown.
    const isShown =
      needOf(context, each).kind === 'ask' && each.run.kind === 'browser' && run.browser.page !== undefined;
    const call = isShown ? await planWithView(context, each) : each;
    const need = needOf(context, call);
    if (need.kind === 'ask' && (progress.doubtOf(call) !== undefined || !progress.takeApproved(call.hash)))
      asking.push({ call, card: need.card, changes: differences });
    else cleared.set(call.callId, { kind: 'run', call: call.card === undefined ? call : withClearance(call, {}) });
  }
  const isOpen = ({ call }: Question): boolean => !run.task.calls.isEnded(call.callId);
  asking = asking.filter(isOpen);
  for (let round = 1; asking.length > 0; round += 1) {
    for (const { call } of asking) onAsked(call.callId);
    const questions = asking.map((question) => toApproval(run, progress, question, round));
    const answers = await run.task.turns.run(() => run.approvals.ask(questions, progress.turn));
    const again: Question[] = [];
    for (const [index, question] of asking.entries()) {
      const answer = answers.get(questions[index]!.approvalId)!;
      if (answer.kind === 'withdrawn' || !isOpen(question)) continue;
      const { call, card } = question;
      const clearance = await afterAnswer(context, call, answer);
      if (clearance.kind === 'changed') {
        const changes = changesBetween(call.view, clearance.call.view);
        const { scope } = call;
        again.push({ call: { ...clearance.call, scope }, card: clearance.call.card ?? card, changes });
      } else cleared.set(call.callId, clearance);
    }
    asking = again.filter(isOpen);
  }
  return calls.flatMap(({ callId }) => cleared.get(callId) ?? []);
}

/**
 * A call of the caller's process with what its tool wants a person to be asked. The question then waits in the session like
 * every other, whatever becomes of the process. Any process may run the call after the answer.
 */
async function askedOfClient({ run, progress }: Context, call: PlannedCall): Promise<PlannedCall> {
  const { approvalMode } = run.session.config.agent;
  const { calls, turns } = run.task;
  if (call.run.kind !== 'client' || call.run.asks !== true || call.card !== undefined || approvalMode !== 'default')
    return call;
  const asking = new CancellationScope({ cancellable: true });
  const question = turns.run(() => asking.run(() => askClient(run, progress.stepIndex, call)));
  question.catch(() => {});
  const withdrawn = condition(() => calls.isEnded(call.callId)).then((): ClientQuestion => ({}));
  try {
    const { card, error } = await Promise.race([question, withdrawn]);
    if (error !== undefined) return { ...call, run: { kind: 'refused', message: error } };
    return card === undefined ? call : { ...call, card, scope: { ...call.scope, ...scopeOf(card) } };
  } finally {
    asking.cancel();
  }
}

function scopeOf(card: ConfirmationCard): Partial<PlannedCall['scope']> {
  if (card.type === 'mcp') return { server: card.serverName };
  return card.type === 'exec' ? { rootCommand: card.rootCommand } : {};
}

function needOf({ run, progress }: Context, call: PlannedCall): ApprovalNeed {
  if (call.run.kind === 'refused') return { kind: 'none' };
  const { card } = call;
  // Whatever a person has said yes to for good was not this.
  if (call.isAskedAgain === true) return { kind: 'ask', card: card ?? infoCard(factsOf(call), OTHER_REQUEST) };
  const doubt = progress.doubtOf(call);
  if (doubt !== undefined) {
    const why = `An earlier ${doubt} was begun and nobody knows whether it took effect. Look for its effect first: this call may do the same a second time.`;
    return { kind: 'ask', card: infoCard(factsOf(call), why) };
  }
  if (card !== undefined && call.requiresApproval === true) return { kind: 'ask', card };
  return approvalNeed(run.session.config.agent.approvalMode, factsOf(call), card, run.approvals.remembered);
}

function factsOf({ scope, classification, summary, pageUrl }: PlannedCall): ApprovalFacts {
  return { ...scope, classification, summary, pageUrl };
}

/** Plans a call on the page as it is now, with what a person is shown of it. */
async function planWithView(context: Context, call: PlannedCall): Promise<PlannedCall> {
  const { run, progress } = context;
  await run.pause.safePoint();
  const { run: how } = call;
  const command = how.kind === 'browser' ? how.command : undefined;
  const isOpen = run.session.config.agent.executor === 'playwright' && run.browser.page !== undefined;
  // A browser that was lost, or given back during a long wait, is another one after the first try.
  for (let attempt = 1; isOpen && attempt <= MOST_LOOKS; attempt += 1) {
    if ((await observePage(run, progress, command)) !== undefined) break;
    run.task.turns.check();
  }
  run.task.turns.check();
  return await replan(context, call, {});
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
    const text = `Error: ${REJECTED_TEXT}${why}`;
    return unrun('cancelled', `${REJECTED}${reason ? `: ${reason}` : ''}`, text);
  }
  const isEdited = outcome === ToolConfirmationOutcome.ModifyWithEditor;
  if (isEdited && args === undefined && newContent === undefined)
    return unrun('cancelled', 'No modification content provided', 'Error: No modification content provided.');

  const planAnew = () => planWithView(context, call);
  let fresh = await planAnew();
  if (fresh.run.kind === 'refused' && call.run.kind !== 'browser')
    return unrun('error', fresh.run.message, `Error: ${fresh.run.message}`);
  if (fresh.run.kind === 'refused') fresh = (await leadBack(context.run, context.progress, call, planAnew)) ?? fresh;
  if (fresh.run.kind === 'refused') {
    // The answer stays good for what was shown: the model may lead there again.
    if (!isEdited) context.progress.keepApproved(call.hash);
    return unrun('error', PAGE_GONE, `Error: the user approved this call. ${PAGE_GONE} ${LEAD_BACK}`);
  }
  if (fresh.hash !== call.hash) return { kind: 'changed', call: fresh };
  if (isEdited) {
    const edited = await replan(context, call, { args, newContent });
    context.run.approvals.noteEdit(call.callId, edited.args);
    const { run: how } = edited;
    return how.kind === 'refused'
      ? unrun('error', how.message, `Error: the arguments were changed by the user, and are not valid: ${how.message}`)
      : { kind: 'run', call: withClearance(edited, { outcome, newContent }) };
  }
  const remembered = rememberedApprovalOf(outcome, factsOf(call));
  if (remembered !== undefined) context.run.approvals.remember(call.callId, remembered);
  return { kind: 'run', call: withClearance(fresh, { outcome }) };
}

/** Adds the answer, for the tool of the caller's process (S2.A16). */
function withClearance(call: PlannedCall, clearance: ClientClearance): PlannedCall {
  return call.run.kind === 'client' ? { ...call, clearance } : call;
}

/** Plans the same call on the page as it is now, or with the arguments that a person has edited. */
export async function replan(
  { run, progress, planAnew }: Context,
  call: PlannedCall,
  change: Change,
): Promise<PlannedCall> {
  if (planAnew !== undefined) return await planAnew(call, change);
  const { callId, name, isAskedAgain } = call;
  const { stepIndex, turn } = progress;
  return await planActivities(`plan ${name} anew`).planCall({
    sessionId: run.session.id,
    stepIndex,
    turn,
    callId,
    ...(isAskedAgain === undefined ? {} : { isAskedAgain }),
    ...change,
  });
}
