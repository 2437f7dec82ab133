import type { AIResponse } from '../../contracts/models/ai-response';
import type { GeneratedCall } from '../../contracts/model-port/language-model';
import type {
  DecisionRequest,
  PastCommand,
  PastIteration,
  PastTurn,
  TurnRequest,
} from '../../contracts/model-port/port';
import { combineOutcomes } from './remote-page';
import { savedVariables, type SettledOutcome } from './settle-from-snapshot';
import { toToolCall } from './tool-calls';

/** One planned reply of a turn. `settled` has the outcomes of its commands, null for each that became a tool call. */
export interface TurnIteration {
  reply: AIResponse;
  settled: (SettledOutcome | null)[];
  /** With a remote browser: the number of calls of each command that became calls. */
  callCounts?: number[];
  /** What the turn waited for, if it only polled the page. */
  awaited?: string;
}

/** The replies that a turn was made of, with the outcomes of its calls. */
export function toPastIterations({ raw, outcomes }: PastTurn): PastIteration[] {
  const kept = (raw?.parts ?? []) as TurnIteration[];
  return kept
    .filter(({ awaited }) => awaited === undefined)
    .map((each) => toPastIteration(each, each === kept.at(-1) ? outcomes : []));
}

export function toPastIteration(
  { reply, settled, callCounts }: TurnIteration,
  ends: PastTurn['outcomes'],
): PastIteration {
  const left = [...ends];
  const counts = [...(callCounts ?? [])];
  const next = () => (callCounts === undefined ? left.shift() : combineOutcomes(left.splice(0, counts.shift() ?? 0)));
  const outcomes = reply.commands.map(({ action, parameters }, index): PastCommand => {
    const seen = settled[index];
    return { action, parameters, ...(seen ?? next() ?? { status: 'skipped' as const }) };
  });
  const { decision, reasoning, commands, context } = reply;
  return { decision, reasoning, commands, context, outcomes };
}

/** A turn as the decision of a step. */
export function toDecisionRequest(
  { stepIndex, turn, maxSteps, snapshot, variables, outcomes }: TurnRequest,
  instruction: string,
  pastIterations: PastIteration[],
): DecisionRequest {
  return {
    instruction,
    stepIndex,
    iteration: turn,
    maxIterations: maxSteps,
    mayAct: true,
    pastIterations,
    snapshot,
    variables,
    outcomes,
  };
}

/** Fills in the texts that this task has saved. Only its replies contain them, so no browser could. */
export function withSavedTexts(reply: AIResponse, pastIterations: readonly PastIteration[]): AIResponse {
  const saved = savedTexts(pastIterations);
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? saved.reduce((text, { name, value: own }) => text.replaceAll(`\${${name}}`, () => own), value)
      : value;
  const commands = reply.commands.map((command) => ({
    ...command,
    parameters: Object.fromEntries(Object.entries(command.parameters).map(([key, value]) => [key, fill(value)])),
  }));
  return { ...reply, commands };
}

/** The saved texts; the last one of a name wins. */
export function savedTexts(pastIterations: readonly PastIteration[]): { name: string; value: string }[] {
  const all = pastIterations.flatMap(({ outcomes }) => outcomes.flatMap(savedVariables));
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/** The calls of a reply's commands that the page has not settled, or why the tools of the session can't make them. */
export function callsOf(
  { tools }: Pick<TurnRequest, 'tools'>,
  { commands }: Pick<AIResponse, 'commands'>,
  settled: readonly (SettledOutcome | null)[],
): { calls: GeneratedCall[] } | { impossible: string } {
  const calls: GeneratedCall[] = [];
  for (const [index, command] of commands.entries()) {
    if (settled[index] !== null) continue;
    const made = toToolCall(command);
    if (made.kind === 'impossible') return { impossible: made.message };
    if (!tools.some(({ name }) => name === made.call.name)) return { impossible: notOffered(made.call.name) };
    calls.push(made.call);
  }
  return { calls };
}

export function notOffered(name: string): string {
  return `The task needs the tool ${name}, which this session does not offer.`;
}
