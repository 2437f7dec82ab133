import { DecisionAction, type AIResponse } from '../../contracts/models/ai-response';
import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { isEffectLost } from '../../contracts/commands/evidence';
import type { GeneratedCall } from '../../contracts/model-port/language-model';
import type { PastCommand, PastIteration, TurnResult, TurnRequest } from '../../contracts/model-port/port';
import { isUnread } from '../../contracts/models/reading';
import { decideByRules } from '../planning/decide';
import {
  toRemoteCalls,
  mayChangeRemotePage,
  remotePageOf,
  POLLING,
  READING,
  checkOnPage,
  readFailure,
} from './remote-page';
import { settleFromSnapshot, type SettledOutcome } from './settle-from-snapshot';
import {
  callsOf,
  notOffered,
  savedTexts,
  toDecisionRequest,
  toPastIteration,
  toPastIterations,
  withSavedTexts,
  type TurnIteration,
} from './turn-iterations';

/** Bounds the expectations in a row that one turn settles. */
const MOST_ITERATIONS = 100;

/**
 * Takes one turn of a task with the parser and planner of steps: one action a turn, because all calls of a turn run even
 * when the first fails. Expectations and texts to save are settled from the snapshot, without a call.
 */
export function takeTurnByRules(request: TurnRequest): Omit<TurnResult, 'usage' | 'model'> {
  // The actions of another model can't be recognized in its calls, and starting over could repeat them.
  if (request.pastTurns.some(({ raw }) => raw?.form !== 'rules'))
    return cannot('Another model has begun this task, and I can’t recognize what it has done.', []);
  if (request.remotePageText !== undefined) return takeRemoteTurn(request, request.remotePageText);
  const before = afterCommits(request.pastTurns.flatMap(toPastIterations));
  const kept: TurnIteration[] = [];
  while (kept.length < MOST_ITERATIONS) {
    const pastIterations = [...before, ...kept.map((each) => toPastIteration(each, []))];
    const reply = ofFirstAction(decideByRules(toDecisionRequest(request, instructionOf(request), pastIterations)));
    if (reply.decision.action === DecisionAction.ABORT) {
      const given = cannot(reply.decision.message, kept);
      return pastIterations.length === 0 && isUnread(reply.context) ? { ...given, isUnread: true } : given;
    }
    if (reply.commands.length === 0) return finish(reply, kept, [...pastIterations]);
    const settled = reply.commands.map((command) => settleFromSnapshot(request.snapshot, command));
    kept.push({ reply, settled });
    if (settled.includes(null)) return call(request, withSavedTexts(reply, pastIterations), settled, kept);
  }
  return cannot('The task has more expectations in a row than I can follow.', kept);
}

/** Takes one turn with the seven tools of a remote browser, whose page is known from read_page. */
function takeRemoteTurn(request: TurnRequest, pageText: string): Omit<TurnResult, 'usage' | 'model'> {
  const { pastTurns } = request;
  const page = remotePageOf(pastTurns, pageText);
  const before = pastTurns.flatMap(toPastIterations);
  const awaited = pastTurns.flatMap(({ raw }) =>
    ((raw?.parts ?? []) as TurnIteration[]).flatMap((each) => each.awaited ?? []),
  );
  const kept: TurnIteration[] = [];
  const read = (): Omit<TurnResult, 'usage' | 'model'> => {
    const why = readFailure(pastTurns);
    return why === undefined ? answer('I read the page.', '', READING, kept) : cannot(why, kept);
  };
  while (kept.length < MOST_ITERATIONS) {
    const pastIterations = [...before, ...kept.map((each) => toPastIteration(each, []))];
    const reply = ofFirstAction(
      decideByRules(toDecisionRequest({ ...request, snapshot: page.snapshot }, instructionOf(request), pastIterations)),
    );
    const [first] = reply.commands;
    const isAbort = reply.decision.action === DecisionAction.ABORT;
    if (page.kind === 'unread' && first?.action !== 'OPEN_PAGE' && (isAbort || first !== undefined)) return read();
    const isLooking = isAbort || ['EXPECT', 'SAVE_VARIABLE', 'WAIT_FOR'].includes(first?.action ?? '');
    if (page.kind === 'touched' && isLooking) return read();
    if (isAbort) return cannot(reply.decision.message, kept);
    if (first === undefined) return finish(reply, kept, pastIterations);
    const [index = 0] = (reply.context?.['plan'] as number[] | undefined) ?? [];
    const sights = reply.commands.map((command) => checkOnPage(page.snapshot, command, index, awaited));
    const wait = sights.find((sight) => sight.kind === 'await');
    if (wait !== undefined)
      return answer(reply.reasoning.rationale, '', POLLING, [...kept, { reply, settled: [], awaited: wait.key }]);
    const settled = sights.map((sight) => (sight.kind === 'seen' ? sight.here : null));
    kept.push({ reply, settled });
    if (settled.includes(null))
      return callRemotely(withSavedTexts(reply, pastIterations), settled, kept, request.tools);
  }
  return cannot('The task has more expectations in a row than I can follow.', kept);
}

function callRemotely(
  reply: AIResponse,
  settled: readonly (SettledOutcome | null)[],
  kept: TurnIteration[],
  tools: TurnRequest['tools'],
): Omit<TurnResult, 'usage' | 'model'> {
  const calls: GeneratedCall[] = [];
  const callCounts: number[] = [];
  for (const [index, command] of reply.commands.entries()) {
    if (settled[index] !== null) continue;
    const made = toRemoteCalls(command);
    if (made.kind === 'impossible') return cannot(made.message, kept.slice(0, -1));
    calls.push(...made.calls);
    callCounts.push(made.calls.length);
  }
  // Reads the page in the same turn, for the next decision.
  if (mayChangeRemotePage(calls) && calls.at(-1)?.name !== 'read_page') calls.push(...READING);
  const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined) return cannot(notOffered(missing.name), kept.slice(0, -1));
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, calls, [...kept.slice(0, -1), { ...kept.at(-1)!, callCounts }]);
}

/** What a task says, with the address that it begins at. */
const instructionOf = ({ task, url }: TurnRequest): string => (url === undefined ? task : `Open ${url}\n${task}`);

/** Keeps the first action of a reply; the answer to a dialog and the action that opens it stay together. */
function ofFirstAction(reply: AIResponse): AIResponse {
  const plan = (reply.context?.['plan'] as number[] | undefined) ?? [];
  const isDialog = reply.commands[0]?.action === 'HANDLE_DIALOG';
  const wanted = [...new Set(plan)].slice(0, isDialog ? 2 : 1);
  const count = plan.filter((index) => wanted.includes(index)).length;
  return {
    ...reply,
    commands: reply.commands.slice(0, count),
    context: { ...reply.context, plan: plan.slice(0, count) },
  };
}

function call(
  request: TurnRequest,
  reply: AIResponse,
  settled: readonly (SettledOutcome | null)[],
  kept: TurnIteration[],
): Omit<TurnResult, 'usage' | 'model'> {
  const made = callsOf(request, reply, settled);
  if ('impossible' in made) return cannot(made.impossible, kept.slice(0, -1));
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, made.calls, kept);
}

function finish(
  reply: AIResponse,
  kept: TurnIteration[],
  pastIterations: PastIteration[],
): Omit<TurnResult, 'usage' | 'model'> {
  const saved = savedTexts(pastIterations).map(({ name, value }) => `${name}: ${value}`);
  return answer([reply.reasoning.analysis, ...saved].join('\n'), '', [], kept);
}

function cannot(message: string, kept: TurnIteration[]): Omit<TurnResult, 'usage' | 'model'> {
  return { ...answer(`I could not do this: ${message}`, '', [], kept), isGivenUp: true };
}

function answer(
  text: string,
  thoughts: string,
  functionCalls: GeneratedCall[],
  kept: TurnIteration[],
): Omit<TurnResult, 'usage' | 'model'> {
  const stopReason = functionCalls.length > 0 ? 'tool_calls' : 'end_turn';
  return { text, thoughts, functionCalls, stopReason, raw: { form: 'rules', provider: 'rules', parts: kept } };
}

/**
 * Removes the loss of input before a commit that is done: the input has served its purpose. An approved click continues in
 * the restored page, without a turn in between.
 */
function afterCommits(pastIterations: PastIteration[]): PastIteration[] {
  const isCommitted = ({ action, status }: PastCommand): boolean =>
    EFFECT_CLASS[action] === 'commit' && status === 'done';
  const last = pastIterations.findLastIndex(({ outcomes }) => outcomes.some(isCommitted));
  return pastIterations.map((iteration, index) => {
    if (index >= last) return iteration;
    const outcomes = iteration.outcomes.map((outcome) => {
      const isUndone = EFFECT_CLASS[outcome.action] !== 'commit' && isEffectLost(outcome.evidence);
      return isUndone ? { ...outcome, evidence: undefined } : outcome;
    });
    return { ...iteration, outcomes };
  });
}
