import type { AIResponse } from '../../contracts/models/ai-response';
import { CommandAction } from '../../contracts/commands/commands';
import type { UnknownJudgement } from '../../contracts/approvals/unknown-outcome';
import { blockedNavigationOf } from '../../contracts/commands/evidence';
import type { PastCommand, DecisionRequest } from '../../contracts/model-port/port';
import { abort, stepComplete, describePage, proceed, retry } from './replies';
import { parseInstruction } from '../language/parse-instruction';
import { collect, hasWaited, type Collected } from './collect';
import { sightBefore, type SecondLook } from './sight-before';
import type { Action } from '../language/intent';
import {
  ambiguous,
  doneByRecipe,
  navigationBlocked,
  noPageYet,
  notFound,
  notUnderstood,
  stillToDo,
  unknownVariable,
} from './messages';
import { indexPage, type Item, type Page } from '../matching/page-index';
import { unassignedCommit } from './of-recipe';
import { applySplit, withPieces, type Split } from './pieces';
import { doneBefore } from './done-before';
import { firstOpenAction, answersNextAction, withErrorPagesToOpen, type Notes } from './progress';
import type { TargetSearch } from '../matching/resolution';
import { describeItem, truncate } from '../matching/item-text';
import { foreseen } from './foreseen';
import { openQuestion } from './open-question';
import { judgeOutcome } from './judge-outcome';
import { outcomeProblems } from './outcome-problems';
import { timeForSecondLook, unseenEffect } from './unseen-effects';
import { click } from '../matching/element-commands';
import { asUnread, isUnread } from '../../contracts/models/reading';
import { propose, proposeYes, proposing, type Proposed } from './propose';
import { exitNote, hasLeft, isLeaving, leaveOpened, noteStanding, proposingAfter } from './way-back';
import { missingVariable, withValues } from './variables';

const SECONDS_TO_APPEAR = 5;
const SECONDS_FOR_A_CONDITION = 1.5;
const LONGEST_PLAN = 300;
const MOST_SPLITS = 6;

/** Decides on one iteration of a step: a pure function of the instruction, the past iterations and the page. */
export function decideByRules(request: DecisionRequest): AIResponse {
  const settled: number[] = [];
  const decided = decideOn(withErrorPagesToOpen(request), settled);
  const proposed = (): Proposed => propose(request, (step) => decideOn(step, []));
  const read = isUnread(decided.context)
    ? proposing(decided, proposed())
    : isLeaving(decided)
      ? proposingAfter(decided, proposed())
      : decided;
  const isFirst = request.pastIterations.length === 0 && read.commands.length > 0;
  const reply = isFirst ? noteStanding(read, indexPage(request.snapshot)) : read;
  return settled.length > 0 ? withJudgement(reply, 'happened') : reply;
}

/** Adds the judgement of a commit of unknown outcome to a reply that has none. */
function withJudgement(reply: AIResponse, unknownOutcome: UnknownJudgement): AIResponse {
  return { ...reply, context: { unknownOutcome, ...reply.context } };
}

function decideOn(request: DecisionRequest, settled: number[]): AIResponse {
  const parsed = parseInstruction(request.instruction);
  if (parsed.kind === 'unknown') {
    return asUnread(abort(request, notUnderstood(parsed.clause, parsed.hint), 1));
  }
  const missing = missingVariable(parsed.actions, request.variables);
  if (missing) return abort(request, unknownVariable(missing.name, missing.known), 1);
  const splits: Split[] = [];
  let actions = withValues(withPieces(parsed.actions, request.pastIterations), request.variableValues ?? {});
  const unassigned = unassignedCommit(request);
  if (unassigned !== undefined) return abort(request, doneByRecipe(unassigned));
  const page = indexPage(request.snapshot);
  const left = hasLeft(request, page);
  if (left !== undefined) return left;
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
  if (verdict.kind === 'hopeless') {
    const message = verdict.message + errorPageText(request);
    return leaveOpened(request, page, message, []) ?? abort(request, message);
  }
  const [problem] = actions[next]?.until === undefined ? outcomeProblems(request, 'fail') : [];
  if (problem !== undefined) {
    const refusal = abort(request, problem.message);
    return problem.kind === 'unansweredDialogs' ? proposing(refusal, proposeYes(request)) : refusal;
  }
  let collected = collect(request, page, actions, next);
  while (collected.split !== undefined && collected.batch.length === 0 && splits.length < MOST_SPLITS) {
    splits.push(collected.split);
    actions = applySplit(actions, collected.split);
    collected = collect(request, page, actions, next);
  }
  const isLeft = collected.batch.length > 0 || collected.end < actions.length;
  if (!isLeft) {
    const again = request.mayAct ? timeForSecondLook(request, page, actions) : undefined;
    if (again !== undefined) return lookAgain(request, again);
    const question = openQuestion(request, page, actions);
    if (question?.same && request.mayAct) return confirmDeed(request, question.same);
    if (question !== undefined)
      return leaveOpened(request, page, question.message, []) ?? abort(request, question.message);
    const unseen = unseenEffect(request, page, actions);
    return unseen === undefined ? stepComplete(request, settled, collected.skipped) : abort(request, unseen);
  }
  if (!request.mayAct) return abort(request, stillToDo(request, actions.slice(next)));
  const hopeless = request.pastIterations.length === 0 ? foreseen(request, page, actions, collected) : undefined;
  if (hopeless !== undefined) return asUnread(abort(request, `${hopeless}${doneBefore(request, [])}`));
  return act(request, page, actions, collected, {
    settled,
    skipped: collected.skipped,
    splits,
    isRetry: verdict.kind === 'again',
  });
}

/** Why what was expected is not there, where the site has answered the same commands with an error. */
function errorPageText(request: DecisionRequest): string {
  const problem = outcomeProblems(request, 'fail').find(({ kind }) => kind === 'httpErrors');
  return problem === undefined ? '' : ` ${problem.message}`;
}

/** Confirms the deed that the step names, where the page asks for it in the same words. */
function confirmDeed(request: DecisionRequest, button: Item): AIResponse {
  return retry(request, {
    analysis: `${describePage(request)} asks for ${describeItem(button)}, which is what the step says.`,
    rationale: 'Next: confirm it.',
    expectedOutcome: 'With that the step is complete.',
    commands: [click(button)],
    plan: [-1],
  });
}

/** A command of any try that led to a page that was blocked: the steps of this model were meant for that page. */
function blockedNavigation({ pastIterations }: DecisionRequest): PastCommand | undefined {
  const outcomes = pastIterations.flatMap((iteration) => iteration.outcomes);
  return outcomes.find(({ evidence }) => blockedNavigationOf(evidence) !== undefined);
}

interface Progress {
  settled: number[];
  skipped: number[];
  splits: Split[];
  isRetry: boolean;
}

function act(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  { batch, end, stop, repeats, opened, await: awaited }: Collected,
  progress: Progress,
): AIResponse {
  if (batch.length === 0 && stop) return cannotGoOn(request, page, actions, stop, progress);
  if (awaited) return giveTime(request, awaited, progress);
  const commands = batch.flatMap((entry) => entry.commands);
  const isWhole = end === actions.length;
  const seen = [...new Set(batch.flatMap(({ target }) => (target ? [describeItem(target)] : [])))];
  const steps = [...new Set(batch.flatMap(({ index }) => actions[index]?.said ?? []))];
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
    notes: { ...notesFrom(progress), ...(repeats.length > 0 && { repeats }), ...(opened && { opened }) },
  };
  const sight = sightBefore(page, commands);
  const full = progress.isRetry ? retry(request, reply) : proceed(request, reply, isWhole);
  return sight === undefined ? full : { ...full, context: { ...full.context, sight } };
}

function cannotGoOn(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  stop: { index: number; why: TargetSearch },
  progress: Progress,
): AIResponse {
  const { index, why } = stop;
  const said = actions[index]?.said ?? '';
  if (why.kind === 'several' && shouldInvestigate(request))
    return investigate(request, said, why.target.said, progress);
  const done = doneBefore(request, actions.slice(0, index));
  const refuse = (message: string): AIResponse =>
    leaveOpened(request, page, `${message}${done}`) ?? asUnread(abort(request, `${message}${done}`));
  if (why.kind === 'several') return refuse(ambiguous(page, why));
  if (why.kind === 'refused') return refuse(why.message);
  const { kind } = actions[index]?.intent ?? {};
  const isClaim = kind === 'claim' && (request.pastIterations.length === 0 || hasWaited(request, index));
  if (why.kind !== 'absent' || kind === 'words' || isClaim) return refuse(notUnderstood(said, undefined));
  if (page.items.length === 0 && (page.url === '' || page.url === 'about:blank'))
    return abort(request, noPageYet(said));
  const isLate = hasWaited(request, index);
  if (isLate && shouldInvestigate(request)) return investigate(request, said, why.target.said, progress);
  if (isLate) return refuse(notFound(request, page, why));
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
    notes: { waiting: index, ...exitNote(request, page), ...notesFrom(progress) },
  });
}

/** Gives what a condition asks for a moment to appear. */
function giveTime(
  request: DecisionRequest,
  { index, text }: { index: number; text: string },
  progress: Progress,
): AIResponse {
  return retry(request, {
    analysis: `“${truncate(text)}” is not on ${describePage(request)} yet.`,
    rationale: 'Next: give it a moment to appear, because the step depends on it.',
    expectedOutcome: `“${truncate(text)}” appears, or that part of the step has not to be done.`,
    commands: [{ action: 'WAIT_FOR', parameters: { text, seconds: SECONDS_FOR_A_CONDITION } }],
    plan: [index],
    notes: { waiting: index, ...notesFrom(progress) },
  });
}

/** Leaves the page alone for a while: what changes then was not changed by the click before. */
function lookAgain(request: DecisionRequest, { seconds, look }: { seconds: number; look: SecondLook }): AIResponse {
  const full = retry(request, {
    analysis: `What has changed on ${describePage(request)} may change by itself.`,
    rationale: `Next: leave the page alone for ${seconds} seconds, and see whether it goes on.`,
    expectedOutcome: 'The page stays as the click left it.',
    commands: [{ action: 'WAIT_FOR', parameters: { seconds } }],
    plan: [-1],
  });
  return { ...full, context: { ...full.context, secondLook: look } };
}

function notesFrom({ settled, skipped, splits }: Progress): Partial<Notes> {
  return {
    ...(settled.length > 0 && { settled }),
    ...(skipped.length > 0 && { skipped }),
    ...(splits.length > 0 && { splits }),
  };
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
    notes: notesFrom(progress),
  });
  return { ...reply, context: { ...reply.context, investigate: wanted } };
}

function enumerate(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
