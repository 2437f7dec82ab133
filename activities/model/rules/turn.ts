import { DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { CommandOutcome, GeneratedCall, PastTurn, Round, StepQuestion, TurnAnswer, TurnQuestion } from '../port';
import { decide } from './plan';
import { callsThere, mayChangeIt, pageOf, POLLING, READING, sightOf, togetherOf, unreadable } from './elsewhere';
import { lookHere, savedIn, type SeenHere } from './seen-here';
import { toCall } from './tool-calls';

/** One reply of a turn; of its commands those that a look settles have their outcome, null stands for a call. */
interface KeptRound {
  reply: AIResponse;
  here: (SeenHere | null)[];
  /** In a browser that is not ours: how many calls each command came to that is not settled by a look. */
  spans?: number[];
  /** Nothing was done but to wait for this, and to look again. */
  awaited?: string;
}

/** Expectations that hold are followed by what comes next; a task has not more of them in a row. */
const MOST_ROUNDS = 100;

/**
 * A task as tool calls, by the parser and the planner of steps: one action a turn, because a task's calls all run, whatever
 * becomes of the first. What only takes a look (expectations, texts to note) is settled here, without a call.
 */
export function takeTurn(question: TurnQuestion): Omit<TurnAnswer, 'usage' | 'model'> {
  // What another model has done of this task can't be told from its calls: beginning anew could do it twice.
  if (question.past.some(({ raw }) => raw?.form !== 'rules'))
    return cannot('Another model has begun this task, and I can’t tell what of it is done.', []);
  if (question.told !== undefined) return takeTurnElsewhere(question, question.told);
  const before = afterCommits(question.past.flatMap(toRounds));
  const kept: KeptRound[] = [];
  while (kept.length < MOST_ROUNDS) {
    const rounds = [...before, ...kept.map((each) => toRound(each, []))];
    const reply = ofFirstAction(decide(toStepQuestion(question, rounds)));
    if (reply.decision.action === DecisionAction.ABORT) return cannot(reply.decision.message, kept);
    if (reply.commands.length === 0) return finish(reply, kept, [...rounds]);
    const here = reply.commands.map((command) => lookHere(question.look, command));
    kept.push({ reply, here });
    if (here.includes(null)) return call(question, withNoted(reply, rounds), here, kept);
  }
  return cannot('It expects more at once than I can follow.', kept);
}

/** The same with the seven tools of a browser that is not ours: its page is what its read_page has told of it. */
function takeTurnElsewhere(question: TurnQuestion, told: string): Omit<TurnAnswer, 'usage' | 'model'> {
  const { past } = question;
  const page = pageOf(past, told);
  const before = past.flatMap(toRounds);
  const awaited = past.flatMap(({ raw }) => ((raw?.parts ?? []) as KeptRound[]).flatMap((each) => each.awaited ?? []));
  const kept: KeptRound[] = [];
  const read = (): Omit<TurnAnswer, 'usage' | 'model'> => {
    const why = unreadable(past);
    return why === undefined ? answer('I read the page.', '', READING, kept) : cannot(why, kept);
  };
  while (kept.length < MOST_ROUNDS) {
    const rounds = [...before, ...kept.map((each) => toRound(each, []))];
    const reply = ofFirstAction(decide(toStepQuestion({ ...question, look: page.look }, rounds)));
    const [first] = reply.commands;
    const isAbort = reply.decision.action === DecisionAction.ABORT;
    if (page.kind === 'unread' && first?.action !== 'OPEN_PAGE' && (isAbort || first !== undefined)) return read();
    const isLooking = isAbort || ['EXPECT', 'SAVE_VARIABLE', 'WAIT_FOR'].includes(first?.action ?? '');
    if (page.kind === 'touched' && isLooking) return read();
    if (isAbort) return cannot(reply.decision.message, kept);
    if (first === undefined) return finish(reply, kept, rounds);
    const [index = 0] = (reply.context?.['plan'] as number[] | undefined) ?? [];
    const sights = reply.commands.map((command) => sightOf(page.look, command, index, awaited));
    const wait = sights.find((sight) => sight.kind === 'await');
    if (wait !== undefined)
      return answer(reply.reasoning.rationale, '', POLLING, [...kept, { reply, here: [], awaited: wait.key }]);
    const here = sights.map((sight) => (sight.kind === 'seen' ? sight.here : null));
    kept.push({ reply, here });
    if (here.includes(null)) return callElsewhere(withNoted(reply, rounds), here, kept, question.tools);
  }
  return cannot('It expects more at once than I can follow.', kept);
}

function callElsewhere(
  reply: AIResponse,
  here: readonly (SeenHere | null)[],
  kept: KeptRound[],
  tools: TurnQuestion['tools'],
): Omit<TurnAnswer, 'usage' | 'model'> {
  const calls: GeneratedCall[] = [];
  const spans: number[] = [];
  for (const [index, command] of reply.commands.entries()) {
    if (here[index] !== null) continue;
    const made = callsThere(command);
    if (made.kind === 'impossible') return cannot(made.message, kept.slice(0, -1));
    calls.push(...made.calls);
    spans.push(made.calls.length);
  }
  // What it did shows in the same turn: everything that is decided next is decided by it.
  if (mayChangeIt(calls) && calls.at(-1)?.name !== 'read_page') calls.push(...READING);
  const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined) return cannot(notOffered(missing.name), kept.slice(0, -1));
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, calls, [...kept.slice(0, -1), { ...kept.at(-1)!, spans }]);
}

function notOffered(name: string): string {
  return `It takes the tool ${name}, which this session does not offer.`;
}

function toStepQuestion({ task, url, ...question }: TurnQuestion, rounds: Round[]): StepQuestion {
  const { stepIndex, turn, maxSteps, look, variables } = question;
  const instruction = url === undefined ? task : `Open ${url}\n${task}`;
  return { instruction, stepIndex, iteration: turn, maxIterations: maxSteps, mayAct: true, rounds, look, variables };
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
function withNoted(reply: AIResponse, rounds: readonly Round[]): AIResponse {
  const noted = notedIn(rounds);
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
function notedIn(rounds: readonly Round[]): { name: string; value: string }[] {
  const all = rounds.flatMap(({ outcomes }) => outcomes.flatMap(savedIn));
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

function call(
  { tools }: TurnQuestion,
  reply: AIResponse,
  here: readonly (SeenHere | null)[],
  kept: KeptRound[],
): Omit<TurnAnswer, 'usage' | 'model'> {
  const calls: GeneratedCall[] = [];
  for (const [index, command] of reply.commands.entries()) {
    if (here[index] !== null) continue;
    const made = toCall(command);
    if (made.kind === 'impossible') return cannot(made.message, kept.slice(0, -1));
    if (!tools.some(({ name }) => name === made.call.name))
      return cannot(notOffered(made.call.name), kept.slice(0, -1));
    calls.push(made.call);
  }
  const { analysis, rationale } = reply.reasoning;
  return answer(rationale, analysis, calls, kept);
}

function finish(reply: AIResponse, kept: KeptRound[], rounds: Round[]): Omit<TurnAnswer, 'usage' | 'model'> {
  const told = notedIn(rounds).map(({ name, value }) => `${name}: ${value}`);
  return answer([reply.reasoning.analysis, ...told].join('\n'), '', [], kept);
}

function cannot(message: string, kept: KeptRound[]): Omit<TurnAnswer, 'usage' | 'model'> {
  return { ...answer(`I could not do this: ${message}`, '', [], kept), isGivenUp: true };
}

function answer(
  text: string,
  thoughts: string,
  functionCalls: GeneratedCall[],
  kept: KeptRound[],
): Omit<TurnAnswer, 'usage' | 'model'> {
  const stopReason = functionCalls.length > 0 ? 'tool_calls' : 'end_turn';
  return { text, thoughts, functionCalls, stopReason, raw: { form: 'rules', provider: 'rules', parts: kept } };
}

function toRounds({ raw, ends }: PastTurn): Round[] {
  const kept = (raw?.parts ?? []) as KeptRound[];
  return kept
    .filter(({ awaited }) => awaited === undefined)
    .map((each) => toRound(each, each === kept.at(-1) ? ends : []));
}

/**
 * What was filled in for a commit that is done has served its purpose, also when the browser it was filled in was lost
 * before: an approved click goes on in the restored page, without a turn in between.
 */
function afterCommits(rounds: Round[]): Round[] {
  const isCommitted = ({ action, status }: CommandOutcome): boolean =>
    EFFECT_CLASS[action] === 'commit' && status === 'done';
  const last = rounds.findLastIndex(({ outcomes }) => outcomes.some(isCommitted));
  return rounds.map((round, index) => {
    if (index >= last) return round;
    const outcomes = round.outcomes.map(({ evidence, ...outcome }) => {
      const { lostWith: _, ...rest } = evidence ?? {};
      return { ...outcome, evidence: rest };
    });
    return { ...round, outcomes };
  });
}

function toRound({ reply, here, spans }: KeptRound, ends: PastTurn['ends']): Round {
  const left = [...ends];
  const counts = [...(spans ?? [])];
  const next = () => (spans === undefined ? left.shift() : togetherOf(left.splice(0, counts.shift() ?? 0)));
  const outcomes = reply.commands.map(({ action, parameters }, index): CommandOutcome => {
    const seen = here[index];
    return { action, parameters, ...(seen ?? next() ?? { status: 'skipped' as const }) };
  });
  const { decision, reasoning, commands, context } = reply;
  return { decision, reasoning, commands, context, outcomes };
}
