import type { PromptMessage } from '../../../contracts/model-port/language-model';
import { inputOf, MORE_ROOM } from '../models/calls/language-call';
import type { Model, TurnOptions, TurnRequest, TurnResult } from '../../../contracts/model-port/port';
import { DONE, DoneSchema } from '../tools/done-tool';
import { forgivingParse } from '../models/replies/forgiving-parse';
import { doubtOf, type KnownOfTask } from './end-doubts';

const NO_ANSWER = 'The model gave neither an answer nor a call, also when it was asked again.';

/**
 * Takes one turn of a task whose model ends it by calling `done`. An end that the engine doubts (end-doubts.ts) is asked for
 * once more; what is no better then ends the task as not done. `known` is read when the model means to end the task.
 */
export async function takeTaskTurn(
  model: Model,
  request: TurnRequest,
  options: TurnOptions,
  known: () => Promise<KnownOfTask | undefined>,
): Promise<TurnResult> {
  if (!request.tools.includes(DONE)) return await model.turn(request, options);
  const first = readEnd(await model.turn(request, options), options);
  if (first.functionCalls.length > 0) return first;
  const facts = { task: request.task, contradiction: request.contradiction, known: await known() };
  const doubt = doubtOf(first, { ...facts, isAskedAgain: false });
  if (doubt === undefined) return first;
  await options.listener.discarded();
  const messages: PromptMessage[] = [
    ...request.messages,
    { role: 'model', text: first.text.trim() === '' ? '(no answer)' : first.text },
    { role: 'user', parts: [{ kind: 'text', text: doubt.ask }] },
  ];
  // A model that thought for all of its tokens needs more of them to say anything.
  const maxTokens = first.stopReason === 'max_tokens' ? options.ai.maxTokens * MORE_ROOM : options.ai.maxTokens;
  const again = { ...options, ai: { ...options.ai, maxTokens } };
  const second = readEnd(await model.turn({ ...request, messages, doubt: doubt.ask }, again), options);
  const still = doubtOf(second, { ...facts, isAskedAgain: true });
  if (still === undefined) return second;
  const said = second.text.trim() === '' ? NO_ANSWER : '';
  const insisted = still.verdict === undefined ? said : `${said === '' ? '\n\n' : `${said} `}${still.verdict}`;
  if (insisted !== '') options.listener.delta(insisted);
  return { ...second, text: `${second.text.trim() === '' ? '' : second.text}${insisted}`, isGivenUp: true };
}

/** Makes the answer of a turn of its call of `done`. One beside other calls, or with wrong arguments, is refused later. */
function readEnd(result: TurnResult, { listener }: TurnOptions): TurnResult {
  if (result.isEnd === true) listener.delta(result.text);
  const [call, ...others] = result.functionCalls;
  if (call?.name !== DONE.name || others.length > 0) return result;
  const parsed = forgivingParse(DoneSchema, inputOf(call));
  if (!parsed.success) return result;
  const { success, answer, evidence } = parsed.data;
  const before = result.text.trimEnd();
  const said = before === '' || answer === '' ? answer : `\n\n${answer}`;
  listener.delta(said);
  return {
    ...result,
    text: `${before}${said}`,
    functionCalls: [],
    raw: undefined,
    isEnd: true,
    ...(evidence === undefined ? {} : { evidence }),
    ...(success ? {} : { isGivenUp: true }),
  };
}
