import { DecisionAction, type AIResponse } from '../../../../contracts/models/ai-response';
import { EFFECT_CLASS } from '../../../../contracts/commands/commands';
import { isLostWithBrowser } from '../../../../contracts/commands/evidence';
import type { GeneratedCall } from '../../language-model';
import type { CommandOutcome, PastTurn, PastIteration, DecisionRequest, TurnResult, TurnRequest } from '../../port';
import { decide } from '../planning/decide';
import {
  toRemoteCalls,
  mayChangeRemotePage,
  remotePageOf,
  POLLING,
  READING,
  checkOnPage,
  combineOutcomes,
  readFailure,
} from './remote-page';
import { settleFromSnapshot, savedVariables, type SettledOutcome } from './settle-from-snapshot';
import { toToolCall } from './tool-calls';

/** One reply of a turn; of its commands those that a look settles have their outcome, null stands for a call. */
interface TurnIteration {
  reply: AIResponse;
  settled: (SettledOutcome | null)[];
  /** In a browser that is not ours: how many calls each command came to that is not settled by a snapshot. */
  callCounts?: number[];
  /** Nothing was done but to wait for this, and to look again. */
  awaited?: string;
}

/** Expectations that hold are followed by what comes next; a task has not more of them in a row. */
const MOST_ROUNDS = 100;

/**
 * A task as tool calls, by the parser and the planner of steps: one action a turn, because a task's calls all run, whatever
 * becomes of the first. What only takes a look (expectations, texts to note) is settled here, without a call.
 */
export function takeTurn(request: TurnRequest): Omit<TurnResult, 'usage' | 'model'> {
  // What another model has done of this task can't be told from its calls: beginning anew could do it twice.
  if (request.pastTurns.some(({ raw }) => raw?.form !== 'rules'))
    return cannot('Another model has begun this task, and I can’t tell what of it is done.', []);
  if (request.remotePageText !== undefined) return takeRemoteTurn(request, request.remotePageText);
  const before = afterCommits(request.pastTurns.flatMap(toPastIterations));
  const kept: TurnIteration[] = [];
  while (kept.length < MOST_ROUNDS) {
    const pastIterations = [...before, ...kept.map((each) => toPastIteration(each, []))];
    const reply = ofFirstAction(decide(toDecisionRequest(request, pastIterations)));
    if (reply.decision.action === DecisionAction.ABORT) return cannot(reply.decision.message, kept);
    if (reply.commands.length === 0) return finish(reply, kept, [...pastIterations]);
    const here = reply.commands.map((command) => settleFromSnapshot(request.snapshot, command));
    kept.push({ reply, settled: here });
    if (here.includes(null)) return call(request, withNoted(reply, pastIterations), here, kept);
  }
  return cannot('It expects more at once than I can follow.', kept);
}

/** The same with the seven tools of a browser that is not ours: its page is what its read_page has told of it. */
function takeRemoteTurn(request: TurnRequest, told: string): Omit<TurnResult, 'usage' | 'model'> {
  const { pastTurns: past } = request;
  const page = remotePageOf(past, told);
  const before = past.flatMap(toPastIterations);
  const awaited = past.flatMap(({ raw }) =>
    ((raw?.parts ?? []) as TurnIteration[]).flatMap((each) => each.awaited ?? []),
  );
  const kept: TurnIteration[] = [];
  const read = (): Omit<TurnResult, 'usage' | 'model'> => {
    const why = readFailure(past);
    return why === undefined ? answer('I read the page.', '', READING, kept) : cannot(why, kept);
  };
  while (kept.length < MOST_ROUNDS) {
    const pastIterations = [...before, ...kept.map((each) => toPastIteration(each, []))];
    const reply = ofFirstAction(decide(toDecisionRequest({ ...request, snapshot: page.snapshot }, pastIterations)));
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
    const here = sights.map((sight) => (sight.kind === 'seen' ? sight.here : null));
    kept.push({ reply, settled: here });
    if (here.includes(null)) return callRemotely(withNoted(reply, pastIterations), here, kept, request.tools);
  }
  return cannot('It expects more at once than I can follow.', kept);
}

function callRemotely(
  reply: AIResponse,
  here: readonly (SettledOutcome | null)[],
  kept: TurnIteration[],
  tools: TurnRequest['tools'],
): Omit<TurnResult, 'usage' | 'model'> {
  const calls: GeneratedCall[] = [];
  const spans: number[] = [];
  for (const [index, command] of reply.commands.entries()) {
    if (here[index] !== null) continue;
    const made = toRemoteCalls(command);
    if (made.kind === 'impossible') return cannot(made.message, kept.slice(0, -1));
    calls.push(...made.calls);
    spans.push(made.calls.length);
  }
  // What it did shows in the same turn: everything that is decided next is decided by it.
  if (mayChangeRemotePage(calls) && calls.at(-1)?.name !== 'read_page') calls.push(...READING);
  const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined) return cannot(notOffered(missing.name), kept.slice(0, -1));
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, calls, [...kept.slice(0, -1), { ...kept.at(-1)!, callCounts: spans }]);
}

function notOffered(name: string): string {
  return `It takes the tool ${name}, which this session does not offer.`;
}

function toDecisionRequest({ task, url, ...request }: TurnRequest, pastIterations: PastIteration[]): DecisionRequest {
  const { stepIndex, turn, maxSteps, snapshot, variables } = request;
  const instruction = url === undefined ? task : `Open ${url}\n${task}`;
  return {
    instruction,
    stepIndex,
    iteration: turn,
    maxIterations: maxSteps,
    mayAct: true,
    pastIterations,
    snapshot,
    variables,
  };
}

/** The answer to a dialog goes together with what opens it. */
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

/** What this task has noted is kept nowhere else, so its texts are filled in here. */
function withNoted(reply: AIResponse, pastIterations: readonly PastIteration[]): AIResponse {
  const noted = notedIn(pastIterations);
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? noted.reduce((text, { name, value: own }) => text.replaceAll(`\${${name}}`, () => own), value)
      : value;
  const commands = reply.commands.map((command) => ({
    ...command,
    parameters: Object.fromEntries(Object.entries(command.parameters).map(([key, value]) => [key, fill(value)])),
  }));
  return { ...reply, commands };
}

/** Of texts noted under one name the last counts. */
function notedIn(pastIterations: readonly PastIteration[]): { name: string; value: string }[] {
  const all = pastIterations.flatMap(({ outcomes }) => outcomes.flatMap(savedVariables));
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

function call(
  { tools }: TurnRequest,
  reply: AIResponse,
  here: readonly (SettledOutcome | null)[],
  kept: TurnIteration[],
): Omit<TurnResult, 'usage' | 'model'> {
  const calls: GeneratedCall[] = [];
  for (const [index, command] of reply.commands.entries()) {
    if (here[index] !== null) continue;
    const made = toToolCall(command);
    if (made.kind === 'impossible') return cannot(made.message, kept.slice(0, -1));
    if (!tools.some(({ name }) => name === made.call.name))
      return cannot(notOffered(made.call.name), kept.slice(0, -1));
    calls.push(made.call);
  }
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, calls, kept);
}

function finish(
  reply: AIResponse,
  kept: TurnIteration[],
  pastIterations: PastIteration[],
): Omit<TurnResult, 'usage' | 'model'> {
  const told = notedIn(pastIterations).map(({ name, value }) => `${name}: ${value}`);
  return answer([reply.reasoning.analysis, ...told].join('\n'), '', [], kept);
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

function toPastIterations({ raw, outcomes: ends }: PastTurn): PastIteration[] {
  const kept = (raw?.parts ?? []) as TurnIteration[];
  return kept
    .filter(({ awaited }) => awaited === undefined)
    .map((each) => toPastIteration(each, each === kept.at(-1) ? ends : []));
}

/**
 * What was filled in for a commit that is done has served its purpose, also when the browser it was filled in was lost
 * before: an approved click goes on in the restored page, without a turn in between.
 */
function afterCommits(pastIterations: PastIteration[]): PastIteration[] {
  const isCommitted = ({ action, status }: CommandOutcome): boolean =>
    EFFECT_CLASS[action] === 'commit' && status === 'done';
  const last = pastIterations.findLastIndex(({ outcomes }) => outcomes.some(isCommitted));
  return pastIterations.map((iteration, index) => {
    if (index >= last) return iteration;
    const outcomes = iteration.outcomes.map((outcome) => {
      const isUndone = EFFECT_CLASS[outcome.action] !== 'commit' && isLostWithBrowser(outcome.evidence);
      return isUndone ? { ...outcome, evidence: undefined } : outcome;
    });
    return { ...iteration, outcomes };
  });
}

function toPastIteration(
  { reply, settled: here, callCounts: spans }: TurnIteration,
  ends: PastTurn['outcomes'],
): PastIteration {
  const left = [...ends];
  const counts = [...(spans ?? [])];
  const next = () => (spans === undefined ? left.shift() : combineOutcomes(left.splice(0, counts.shift() ?? 0)));
  const outcomes = reply.commands.map(({ action, parameters }, index): CommandOutcome => {
    const seen = here[index];
    return { action, parameters, ...(seen ?? next() ?? { status: 'skipped' as const }) };
  });
  const { decision, reasoning, commands, context } = reply;
  return { decision, reasoning, commands, context, outcomes };
}
