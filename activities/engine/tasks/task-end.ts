import type { PromptMessage } from '../../../contracts/model-port/language-model';
import { inputOf, MORE_ROOM } from '../models/calls/language-call';
import type { Model, TurnOptions, TurnRequest, TurnResult } from '../../../contracts/model-port/port';
import { containsText } from '../../../rules/page-text/contains-text';
import { DONE, DoneSchema } from '../tools/done-tool';

/** Words of an answer that most likely reports a failure. It costs a call when they do not. */
const COULD_NOT =
  /\b(?:unable to|not able to|could(?: not|n['’]t)|can(?:not| not|['’]t)|failed to|(?:was|is) not possible|impossible to|did(?: not|n['’]t) succeed|gave up)\b/i;

const ASK_FOR_DONE =
  'That may be the end of the task. Call done: with success true only if all that it asks for is done, and false otherwise.';
const ASK_AFTER_CUT =
  'Your answer was cut off by its limit of tokens. Go on in a shorter way: call one tool, or call done with a short answer.';
const ASK_AFTER_CONTRADICTION =
  'Correct it by another call, or call done: with success false, or with success true and these words in its answer, if the task asked to find them out.';
const NO_ANSWER = 'The model gave neither an answer nor a call, also when it was asked again.';

/**
 * Takes one turn of a task whose model ends it by calling `done`. An answer that was cut off, that is empty or that reads
 * like a failure is asked for once more, and so is a success that the page contradicts; what is no better then ends the task
 * as not done.
 */
export async function takeTaskTurn(model: Model, request: TurnRequest, options: TurnOptions): Promise<TurnResult> {
  if (!request.tools.includes(DONE)) return await model.turn(request, options);
  const first = readEnd(await model.turn(request, options), options);
  const { contradiction } = request;
  const doubt = doubtOf(first, contradiction);
  if (doubt === undefined) return first;
  await options.listener.discarded();
  const messages: PromptMessage[] = [
    ...request.messages,
    { role: 'model', text: first.text.trim() === '' ? '(no answer)' : first.text },
    { role: 'user', parts: [{ kind: 'text', text: doubt }] },
  ];
  // A model that thought for all of its tokens needs more of them to say anything.
  const maxTokens = first.stopReason === 'max_tokens' ? options.ai.maxTokens * MORE_ROOM : options.ai.maxTokens;
  const again = { ...options, ai: { ...options.ai, maxTokens } };
  const second = readEnd(await model.turn({ ...request, messages }, again), options);
  const still = doubtOf(second, contradiction);
  if (still === undefined) return second;
  if (contradiction !== undefined && still.includes(contradiction)) {
    const insisted = `\n\nThe model takes the task as done, and the page says otherwise. ${contradiction}`;
    options.listener.delta(insisted);
    return { ...second, text: `${second.text}${insisted}`, isGivenUp: true };
  }
  if (second.text.trim() === '') options.listener.delta(NO_ANSWER);
  return { ...second, text: second.text.trim() === '' ? NO_ANSWER : second.text, isGivenUp: true };
}

/** What a model is asked whose turn may not be an end; undefined where there is no doubt. */
function doubtOf(
  { text, functionCalls, stopReason, isEnd, isGivenUp }: TurnResult & { isEnd?: true },
  contradiction: string | undefined,
): string | undefined {
  if (functionCalls.length > 0 || isGivenUp === true) return undefined;
  if (isEnd !== true) {
    if (stopReason === 'max_tokens') return ASK_AFTER_CUT;
    if (text.trim() === '' || COULD_NOT.test(text)) return ASK_FOR_DONE;
  }
  if (contradiction === undefined || quotes(text, contradiction)) return undefined;
  return `The page says otherwise. ${contradiction} ${ASK_AFTER_CONTRADICTION}`;
}

/** An answer that quotes the page hides nothing. */
function quotes(text: string, contradiction: string): boolean {
  return [...contradiction.matchAll(/“([^”]{8,})”/g)].some(([, said]) => containsText(text, said!));
}

/** Makes the answer of a turn of its call of `done`. One beside other calls, or with wrong arguments, is refused later. */
function readEnd(result: TurnResult, { listener }: TurnOptions): TurnResult & { isEnd?: true } {
  const [call, ...others] = result.functionCalls;
  if (call?.name !== DONE.name || others.length > 0) return result;
  const parsed = DoneSchema.safeParse(inputOf(call));
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
