import type { AIResponse } from '../../../../contracts/models/ai-response';
import { CommandAction, type AIGeneratedCommand } from '../../../../contracts/commands/commands';
import type { Judgement } from '../../../../contracts/approvals/unknown-outcome';
import { blockedNavigationOf } from '../../../../contracts/commands/evidence';
import type { CommandOutcome, DecisionRequest } from '../../port';
import { abort, stepComplete, describePage, proceed, retry } from './replies';
import { parseInstruction } from '../grammar/parse-instruction';
import { isIntentMet } from './expectations';
import { mayChangePage, needsSnapshot, type Action } from '../grammar/intent';
import {
  ambiguous,
  navigationBlocked,
  noPageYet,
  notFound,
  notUnderstood,
  stillToDo,
  unknownVariable,
} from './messages';
import { indexPage, type Page } from '../matching/page-index';
import { firstOpenAction, iterationsOfThisTry, answersNextAction, actionState } from './progress';
import type { Resolution } from '../matching/resolution';
import { resolveWithInvestigation } from '../matching/resolve-with-investigation';
import { describeItem, truncate } from '../matching/item-text';
import { judgeOutcome } from './judge-outcome';
import { missingVariable } from './variables';

const SECONDS_TO_APPEAR = 5;
const LONGEST_PLAN = 300;

/** Decides on one iteration of a step: a pure function of the instruction, the past iterations and the page. */
export function decide(request: DecisionRequest): AIResponse {
  const settled: number[] = [];
  const reply = decideOn(request, settled);
  return settled.length > 0 ? withJudgement(reply, 'happened') : reply;
}

/** Adds the judgement of a commit of unknown outcome to a reply that has none. */
function withJudgement(reply: AIResponse, unknownOutcome: Judgement): AIResponse {
  return { ...reply, context: { unknownOutcome, ...reply.context } };
}

function decideOn(request: DecisionRequest, settled: number[]): AIResponse {
  const parsed = parseInstruction(request.instruction);
  if (parsed.kind === 'unknown') return abort(request, notUnderstood(parsed.clause, parsed.hint), 1);
  const { actions } = parsed;
  const missing = missingVariable(actions, request.variables);
  if (missing) return abort(request, unknownVariable(missing.name, missing.known), 1);
  const page = indexPage(request.snapshot);
  let next = firstOpenAction(actions, request.pastIterations);
  // The answer to a dialog is judged by the click that it was given for.
  const acting = (): number => (answersNextAction(actions, next) ? next + 1 : next);
  let verdict = judgeOutcome(request, page, actions, acting());
  while (verdict.kind === 'settled') {
    settled.push(acting());
    next = acting() + 1;
    verdict = judgeOutcome(request, page, actions, acting());
  }
  if (verdict.kind === 'unknowable') return withJudgement(abort(request, verdict.message), 'cannot-know');
  const blocked = blockedNavigation(request);
  if (blocked !== undefined) return abort(request, navigationBlocked(blocked));
  if (verdict.kind === 'hopeless') return abort(request, verdict.message);
  if (next >= actions.length) return stepComplete(request, settled);
  if (!request.mayAct) return abort(request, stillToDo(request, actions.slice(next)));
  return act(request, page, actions, next, { settled, isRetry: verdict.kind === 'again' });
}

/** A command of any try that led to a page that was blocked: the steps of this model were meant for that page. */
function blockedNavigation({ pastIterations }: DecisionRequest): CommandOutcome | undefined {
  const outcomes = pastIterations.flatMap((iteration) => iteration.outcomes);
  return outcomes.find(({ evidence }) => blockedNavigationOf(evidence) !== undefined);
}

interface Progress {
  settled: number[];
  isRetry: boolean;
}

function act(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  next: number,
  progress: Progress,
): AIResponse {
  const { batch, end, stop } = collect(request, page, actions, next);
  if (batch.length === 0 && stop) return cannotGoOn(request, page, actions, stop, progress);
  const commands = batch.flatMap((entry) => entry.commands);
  const isWhole = end === actions.length;
  const seen = [...new Set(batch.flatMap(({ target }) => (target ? [describeItem(target)] : [])))];
  const steps = actions.slice(next, end).map(({ said }) => said);
  const reply = {
    analysis:
      seen.length > 0
        ? `I see ${enumerate(seen)} on “${truncate(page.title || page.url)}”.`
        : `I am on ${describePage(request)}.`,
    rationale: `Next: ${truncate(steps.join(', then '), LONGEST_PLAN)}.`,
    expectedOutcome: isWhole
      ? 'With that the step is complete.'
      : `Then a new snapshot for: ${truncate(actions[end]?.said ?? '')}.`,
    commands,
    plan: batch.flatMap(({ index, commands: own }) => own.map(() => index)),
    ...(progress.settled.length > 0 && { notes: { settled: progress.settled } }),
  };
  return progress.isRetry ? retry(request, reply) : proceed(request, reply, isWhole);
}

interface Entry {
  index: number;
  commands: AIGeneratedCommand[];
  target?: (Resolution & { kind: 'commands' })['target'];
}

/** Collects the actions that this snapshot can resolve, in order, up to the first that needs another snapshot. */
function collect(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  from: number,
): { batch: Entry[]; end: number; stop?: { index: number; why: Resolution } } {
  const batch: Entry[] = [];
  let isStale = false;
  for (let index = from; index < actions.length; index += 1) {
    const action = actions[index];
    if (!action) break;
    const opener = answersNextAction(actions, index) ? actions[index + 1] : undefined;
    if (isStale && (needsSnapshot(action.intent) || (opener && needsSnapshot(opener.intent))))
      return { batch, end: index };
    // A dialog's answer is sent with the click that opens it, so the click must be possible.
    const ahead = opener && resolveWithInvestigation(request, opener, page, undefined);
    if (ahead && ahead.kind !== 'commands') return { batch, end: index, stop: { index: index + 1, why: ahead } };
    const resolution = resolveWithInvestigation(request, action, page, actions[index - 1]);
    if (resolution.kind !== 'commands') return { batch, end: index, stop: { index, why: resolution } };
    batch.push({ index, commands: resolution.commands, ...(resolution.target && { target: resolution.target }) });
    isStale ||=
      // A wait that is met already changes nothing.
      (mayChangePage(action.intent) && isIntentMet(request.snapshot, action.intent) !== true) ||
      resolution.commands.some(({ action: kind }) => kind === CommandAction.CLICK_ELEMENT);
  }
  return { batch, end: actions.length };
}

function cannotGoOn(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  stop: { index: number; why: Resolution },
  progress: Progress,
): AIResponse {
  const { index, why } = stop;
  const said = actions[index]?.said ?? '';
  if (why.kind === 'several' && shouldInvestigate(request))
    return investigate(request, said, why.target.said, progress);
  if (why.kind === 'several') return abort(request, ambiguous(page, why));
  if (why.kind === 'refused') return abort(request, why.message);
  if (why.kind !== 'absent') return abort(request, notUnderstood(said, undefined));
  if (page.items.length === 0 && (page.url === '' || page.url === 'about:blank'))
    return abort(request, noPageYet(said));
  const state = actionState(index, iterationsOfThisTry(request));
  const hasWaited = state.kind !== 'done' && state.kind !== 'unknown' && state.hasWaited;
  if (hasWaited && shouldInvestigate(request)) return investigate(request, said, why.target.said, progress);
  if (hasWaited) return abort(request, notFound(request, page, why));
  const text =
    why.detail === undefined ? why.target.readings.find(({ name, isGuess }) => name && !isGuess)?.name : undefined;
  return retry(request, {
    analysis: `“${truncate(why.target.said)}” is not on ${describePage(request)} yet.`,
    rationale: `Next: give it ${SECONDS_TO_APPEAR} seconds to appear.`,
    expectedOutcome: `“${truncate(why.target.said)}” appears.`,
    commands: [
      {
        action: 'WAIT_FOR',
        parameters: text === undefined ? { seconds: 2 } : { text, seconds: SECONDS_TO_APPEAR },
      },
    ],
    plan: [index],
    notes: { waiting: index, ...(progress.settled.length > 0 && { settled: progress.settled }) },
  });
}

/** Whether to investigate: once a step, because another investigation would find the same. */
function shouldInvestigate({ mayInvestigate, investigation, pastIterations }: DecisionRequest): boolean {
  const hasAsked = pastIterations.some(({ context }) => context?.['investigate'] !== undefined);
  return mayInvestigate === true && investigation === undefined && !hasAsked;
}

/** Asks for an investigation of the page, and runs nothing that changes it. */
function investigate(request: DecisionRequest, said: string, wanted: string, progress: Progress): AIResponse {
  const reply = retry(request, {
    analysis: `“${truncate(wanted)}” can't be identified on ${describePage(request)}.`,
    rationale: `Next: have the page searched for what “${truncate(said)}” needs.`,
    expectedOutcome: `“${truncate(wanted)}” is found.`,
    commands: [{ action: CommandAction.GET_DOM, parameters: {} }],
    plan: [-1],
    ...(progress.settled.length > 0 && { notes: { settled: progress.settled } }),
  });
  return { ...reply, context: { ...reply.context, investigate: wanted } };
}

function enumerate(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
