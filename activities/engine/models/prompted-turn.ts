import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import type { GeneratedCall, LanguageModel, ModelUsage } from '../../../contracts/model-port/language-model';
import type {
  CallOptions,
  DecisionResult,
  LedTask,
  Model,
  PastIteration,
  PastTurn,
  TurnOptions,
  TurnRequest,
  TurnResult,
} from '../../../contracts/model-port/port';
import { isUnread, readingIn, withReading } from '../../../contracts/models/reading';
import { settleFromSnapshot } from '../../../rules/tasks/settle-from-snapshot';
import { takeTurnByRules } from '../../../rules/tasks/take-turn';
import {
  callsOf,
  savedTexts,
  toDecisionRequest,
  toPastIteration,
  toPastIterations,
  withSavedTexts,
  type TurnIteration,
} from '../../../rules/tasks/turn-iterations';
import { NO_USAGE } from './calls/language-call';
import { decideByReading } from './decide-by-reading';
import { decideDeed, isSameDeed } from './prompted-deed';
import { isToBeJudged, judgeWith } from './prompted-judgement';
import { isSaidByDeed } from './prompts/next-deed';
import type { ReplyForm } from './replies/reply-schema';

/** How many deeds in a row a turn settles from the page, as a text that is saved is. */
const MOST_SETTLED = 4;

/**
 * Takes one turn of a task as one deed of a step: in flat words, made into a call of the tool that does it. The end that the
 * model says is held against the page in a short call of its own. Undefined where the task takes more than such words.
 */
export async function turnByDeed(
  language: LanguageModel,
  form: ReplyForm,
  read: Model['read'],
  request: TurnRequest & { led: LedTask },
  options: TurnOptions,
): Promise<TurnResult | undefined> {
  const { led, snapshot, tools, contradiction } = request;
  const asked: CallOptions = { ...options, validationMode: 'strict', nonce: led.nonce };
  const reading = await readingOf(read, request, asked);
  if (reading !== undefined) return followed(language, request, reading);
  const before = led.turns.flatMap(toPastIterations);
  const kept: TurnIteration[] = [];
  let problem = request.doubt ?? contradiction;
  while (kept.length < MOST_SETTLED) {
    const past = [...before, ...kept.map((each) => toPastIteration(each, []))];
    const decision = { ...toDecisionRequest(request, instructionOf(led), past), judgedAgainst: problem };
    if (!isSaidByDeed(decision)) return undefined;
    const said = await decideDeed(language, form, decision, asked);
    const reply = AIResponseSchema.safeParse(said?.reply).data;
    if (said === undefined || reply === undefined) return undefined;
    if (reply.decision.action === DecisionAction.ABORT) return end(said, false, reply.decision.message);
    if (reply.commands.length === 0) {
      const judged =
        problem === undefined && isToBeJudged(decision) ? await judgeWith(language, form, decision, asked) : undefined;
      problem = judged?.problem;
      // Asked with the problem, it says what is left to do, or for the second time that nothing is.
      if (problem !== undefined) continue;
      return end(said, true, judged?.reply?.decision.message ?? reply.decision.message, past);
    }
    if (contradiction !== undefined && wasDone(reply, past)) return end(said, false, contradiction);
    const filled = withSavedTexts(reply, past);
    const settled = filled.commands.map((command) => settleFromSnapshot(snapshot, command));
    kept.push({ reply, settled });
    if (!settled.includes(null)) continue;
    const made = callsOf({ tools }, filled, settled);
    return 'impossible' in made ? undefined : turn(said, made.calls);
  }
  return undefined;

  function end(said: DecisionResult, isDone: boolean, message: string, past: PastIteration[] = []): TurnResult {
    const saved = savedTexts(past);
    const quoted = /“([^”]+)”/.exec(message)?.[1];
    const text = [
      message === `“${quoted}”` ? quoted : message,
      ...saved.map(({ name, value }) => `${name}: ${value}`),
    ].join('\n');
    const evidence = saved.at(-1)?.value ?? quoted;
    return { ...turn(said, []), text, isEnd: true, ...(isDone ? { evidence } : { isGivenUp: true }) };
  }

  function turn({ usage, model }: DecisionResult, functionCalls: GeneratedCall[]): TurnResult {
    const stopReason = functionCalls.length > 0 ? 'tool_calls' : 'end_turn';
    const raw = { form: 'deeds' as const, provider: language.name, parts: kept };
    return { text: '', thoughts: '', functionCalls, stopReason, raw, usage, model };
  }
}

/** Whether a deed was done before in this task: where the page says what was wrong with it, it comes to no more. */
function wasDone({ commands }: AIResponse, past: readonly PastIteration[]): boolean {
  return past.some((each) => isSameDeed(each.commands, commands));
}

/** What the model has said the task is in the words of `rules`; it is asked for that before anything is done. */
async function readingOf(
  read: Model['read'],
  request: TurnRequest & { led: LedTask },
  options: CallOptions,
): Promise<{ step: string; usage: ModelUsage } | undefined> {
  const { led, doubt } = request;
  if (doubt !== undefined || led.notes.length > 0) return undefined;
  const [said] = led.turns.flatMap(toPastIterations).flatMap(({ context }) => readingIn(context) ?? []);
  if (said !== undefined) return { step: said, usage: NO_USAGE };
  if (!led.isRead || led.turns.length > 0) return undefined;
  const about = { request: toDecisionRequest(request, instructionOf(led), []), history: { replies: [], journal: [] } };
  const { reply, usage } = await decideByReading('wanted', async () => ({ read }), about, options);
  const { context } = reply as AIResponse;
  const step = isUnread(context) || context?.['waiting'] !== undefined ? undefined : readingIn(context);
  return step === undefined ? undefined : { step, usage };
}

/** Has `rules` take the turn of a task that the model has said in their words. */
function followed(
  { name: model }: LanguageModel,
  request: TurnRequest & { led: LedTask },
  { step, usage }: { step: string; usage: ModelUsage },
): TurnResult {
  const asRules = (turn: PastTurn): PastTurn => ({ ...turn, raw: turn.raw && { ...turn.raw, form: 'rules' } });
  const { raw, ...said } = takeTurnByRules({
    ...request,
    task: step,
    url: undefined,
    pastTurns: request.led.turns.map(asRules),
  });
  const parts = ((raw?.parts ?? []) as TurnIteration[]).map(({ reply, ...each }) => ({
    ...each,
    reply: withReading(reply, step),
  }));
  const isEnd = said.functionCalls.length === 0 ? { isEnd: true as const } : {};
  return { ...said, ...isEnd, raw: { form: 'deeds', provider: model, parts }, usage, model };
}

/** What the task asks for, and what was said since. */
const instructionOf = ({ goal, notes }: LedTask): string => [goal, ...notes].join('\n\n');
