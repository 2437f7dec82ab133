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
import { planActivities } from '../activities/task-proxies';
import type { ApprovalAnswer } from '../waits/pending-approvals';
import { runBatch } from '../browsers/run-batch';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from './task-progress';

/** Whether a call may run, and as what: a person may have changed its arguments. */
export type Clearance =
  | { kind: 'run'; call: PlannedCall }
  | { kind: 'unrun'; call: PlannedCall; status: 'error' | 'cancelled'; summary: string; text: string };

interface Scene {
  run: SessionRun;
  pause: PauseControl;
  progress: TaskProgress;
}

/**
 * Clears calls that are to run together; of one that is cancelled meanwhile nothing is said. Those that need a person are asked for at once; an answer counts for the call as
 * it was shown: when the page reads otherwise by the time of the answer, it is shown anew and asked for again.
 */
export async function clear(
  scene: Scene,
  calls: readonly PlannedCall[],
  onAsked: (callId: string) => void,
): Promise<Clearance[]> {
  const cleared = new Map<string, Clearance>();
  let asking: { call: PlannedCall; card: CardOf }[] = [];
  for (const call of calls) {
    const need = needOf(scene, call);
    if (need.kind === 'ask') asking.push({ call, card: need.card });
    else cleared.set(call.callId, { kind: 'run', call });
  }
  const isOpen = ({ call }: { call: PlannedCall }): boolean => !scene.run.calls.isEnded(call.callId);
  for (let round = 1; asking.length > 0; round += 1) {
    for (const { call } of asking) onAsked(call.callId);
    const questions = asking.map(({ call, card }) => toQuestion(scene, call, card, round));
    const answers = await scene.run.turns.run(() => scene.run.approvals.ask(questions));
    if ([...answers.values()].some(isYes)) await lookAgain(scene);
    const again: typeof asking = [];
    for (const [index, { call, card }] of asking.entries()) {
      const answer = answers.get(questions[index]!.approvalId)!;
      if (answer.kind === 'withdrawn' || !isOpen({ call })) continue;
      const verdict = await afterAnswer(scene, call, answer);
      if (verdict.kind === 'changed') again.push({ call: verdict.call, card: verdict.call.card ?? card });
      else cleared.set(call.callId, verdict);
    }
    asking = again.filter(isOpen);
  }
  return calls.flatMap(({ callId }) => cleared.get(callId) ?? []);
}

function isYes(answer: ApprovalAnswer): boolean {
  return answer.kind === 'decided' && answer.decision.outcome !== ToolConfirmationOutcome.Cancel;
}

type CardOf = Extract<ApprovalNeed, { kind: 'ask' }>['card'];

function needOf({ run, progress }: Scene, call: PlannedCall): ApprovalNeed {
  if (call.run.kind === 'refused') return { kind: 'none' };
  const { name, effect, card } = call;
  if (effect === 'commit' && progress.doubtful.includes(name)) {
    const prompt = `An earlier call of ${name} was begun and nobody knows whether it took effect. Look for its effect first: this call may do the same a second time.`;
    return { kind: 'ask', card: infoCard(name, prompt) };
  }
  if (card !== undefined && call.requiresApproval === true) return { kind: 'ask', card };
  return approvalNeed(run.config.agent.approvalMode, factsOf(call), card, run.approvals.kept);
}

function factsOf({ scope, classification }: PlannedCall): CallFacts {
  return { ...scope, classification };
}

function toQuestion({ run, progress }: Scene, call: PlannedCall, card: CardOf, round: number): Approval {
  const { callId, name, args, classification, hash, pageUrl } = call;
  const { approvalTimeoutMs } = run.config.agent;
  const now = Date.now();
  return {
    // Made of the call, so that every attempt at telling it tells the same one.
    approvalId: `${callId.replace(/^call_/, 'appr_')}${round === 1 ? '' : `-${round}`}`,
    sessionId: run.sessionId,
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
async function lookAgain({ run, pause, progress }: Scene): Promise<void> {
  await pause.safePoint();
  if (run.config.agent.executor !== 'playwright' || run.page === undefined) return;
  const { stepIndex, turn } = progress;
  const looked = await runBatch(run, pause, { commands: [] }, stepIndex, turn);
  if (typeof looked !== 'string') run.seePage(looked.page);
  run.turns.check();
}

async function afterAnswer(
  scene: Scene,
  call: PlannedCall,
  answer: Exclude<ApprovalAnswer, { kind: 'withdrawn' }>,
): Promise<Clearance | { kind: 'changed'; call: PlannedCall }> {
  const { run } = scene;
  const unrun = (status: 'error' | 'cancelled', summary: string, text: string): Clearance => {
    return { kind: 'unrun', call, status, summary, text };
  };
  if (answer.kind === 'expired') {
    const text =
      'Error: nobody answered the question whether this may be done in time, so it was not done. Nobody has refused it.';
    return unrun('cancelled', 'expired: nobody answered in time', text);
  }
  const { outcome, reason, args, newContent } = answer.decision;
  if (outcome === ToolConfirmationOutcome.Cancel) {
    const why = reason === undefined || reason === '' ? '' : ` Their reason: ${reason}`;
    const text = `Error: the user rejected this call, and it was not done.${why}`;
    return unrun('cancelled', `rejected by user${reason ? `: ${reason}` : ''}`, text);
  }
  const isEdited = outcome === ToolConfirmationOutcome.ModifyWithEditor;
  if (isEdited && args === undefined && newContent === undefined)
    return unrun('cancelled', 'No modification content provided', 'Error: No modification content provided.');

  const fresh = await plan(scene, call, {});
  if (fresh.run.kind === 'refused') return unrun('error', fresh.run.message, `Error: ${fresh.run.message}`);
  if (fresh.hash !== call.hash) return { kind: 'changed', call: fresh };
  if (isEdited) {
    const edited = await plan(scene, call, { args, newContent });
    const { run: how } = edited;
    return how.kind === 'refused'
      ? unrun('error', how.message, `Error: the arguments were changed by the user, and are not valid: ${how.message}`)
      : { kind: 'run', call: edited };
  }
  const kept = rememberedApprovalOf(outcome, factsOf(call));
  if (kept !== undefined) run.approvals.kept.push(kept);
  return { kind: 'run', call: fresh };
}

/** The same call on the page as it is now, or with what a person has made of it. */
export async function plan(
  { run, progress }: Pick<Scene, 'run' | 'progress'>,
  { callId, name }: PlannedCall,
  change: Pick<DecideApprovalRequest, 'args' | 'newContent'>,
): Promise<PlannedCall> {
  const { stepIndex, turn } = progress;
  return await planActivities(`plan ${name} anew`).planCall({
    sessionId: run.sessionId,
    stepIndex,
    turn,
    callId,
    ...change,
  });
}
