import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { canonicalJson, isObject } from '../../../contracts/json';
import type { AIResponse } from '../../../contracts/models/ai-response';
import type { Generation, LanguageModel, PromptMessage } from '../../../contracts/model-port/language-model';
import type { CallOptions, DecisionRequest, DecisionResult } from '../../../contracts/model-port/port';
import { clausesIn } from '../../../rules/language/parse-instruction';
import { indexPage } from '../../../rules/matching/page-index';
import { unmetNames } from '../../../rules/matching/unmet-names';
import { askAboutPage } from './calls/ask-about-page';
import { callWithRoom, inputOf, NO_USAGE } from './calls/language-call';
import { NO_EVIDENCE } from './prompted-judgement';
import { fence } from './prompts/decision';
import { deedPrompt, deedReply } from './prompts/next-deed';
import { jsonValuesIn } from './replies/json-in-text';
import { checkReply, type ParsedReply } from './replies/parse-reply';
import { answerAs, type ReplyForm } from './replies/reply-schema';

/** How often a model is asked again, with what does not fit. */
const MOST_REPAIRS = 1;

/**
 * Has a small model say what is done next, in flat words. What it would act on has to have the names of the step, as with
 * `rules`. Undefined where it says nothing that can be read.
 */
export async function decideDeed(
  language: LanguageModel,
  form: ReplyForm,
  request: DecisionRequest,
  options: CallOptions,
): Promise<DecisionResult | undefined> {
  const { prompt, generation: first } = await askAboutPage(language, request, options, (characters) => {
    const asked = deedPrompt(request, options.nonce, characters);
    return { ...asked, answer: answerAs(form, asked.answer) };
  });
  let generation = first;
  let messages: PromptMessage[] = prompt.messages;
  for (let repairs = 0; ; repairs += 1) {
    const read = readDeed(generation, request);
    const again = read?.kind === 'valid' ? afterRepetition(read.reply, request) : undefined;
    if (again !== undefined) return result(again);
    const missed = read?.kind === 'valid' ? namesMissed(read.reply, request) : [];
    if (read?.kind === 'valid' && missed.length === 0) return result(read.reply);
    const faults =
      read?.kind === 'invalid' ? read.faults : missed.length > 0 ? [`It leaves out: ${missed.join(', ')}.`] : [];
    if (repairs === MOST_REPAIRS || faults.length === 0) {
      await options.listener.discarded();
      return missed.length === 0 ? undefined : result(refusal(missed));
    }
    await options.listener.discarded();
    messages = [...messages, ...askedAgain(generation, faults, options.nonce)];
    generation = await callWithRoom(language, prompt.answer, { ...prompt, messages }, options);
  }

  function result(reply: unknown): DecisionResult {
    return { reply, usage: generation.usage ?? NO_USAGE, model: language.name, promptSizes: prompt.sizes };
  }
}

function readDeed({ functionCalls, text }: Generation, request: DecisionRequest): ParsedReply | undefined {
  const [called] = functionCalls;
  const values = called === undefined ? jsonValuesIn(text).map(({ value }) => value) : [inputOf(called)];
  const said = values
    .map((value) => deedReply(value, request) ?? wholeReply(value))
    .find((reply) => reply !== undefined);
  return said && checkReply(said, { snapshot: request.snapshot, hasActed: request.pastIterations.length > 0 });
}

/** A model may know the form of a whole reply. */
function wholeReply(value: unknown): object | undefined {
  return isObject(value) && ('decision' in value || 'commands' in value) ? value : undefined;
}

/** Names, codes and quoted texts of the step that its one deed does not have: another row has the same button. */
function namesMissed({ commands }: AIResponse, { instruction, snapshot }: DecisionRequest): string[] {
  if (clausesIn(instruction).length !== 1) return [];
  return unmetNames(indexPage(snapshot), instruction, commands, new Set()).map(({ said }) => said);
}

/**
 * What follows where the deed was done just now, and nothing was said against it: the step is done where doing it again
 * changes nothing. What may change something is not done again for lack of words to quote.
 */
function afterRepetition({ commands }: AIResponse, request: DecisionRequest): object | undefined {
  const { pastIterations, judgedAgainst } = request;
  const last = pastIterations.at(-1);
  if (last === undefined || commands.length === 0 || !isSameDeed(last.commands, commands)) return undefined;
  if (!last.outcomes.every(({ status }) => status === 'done')) return undefined;
  const isCommit = commands.some(({ action }) => EFFECT_CLASS[action] === 'commit');
  if (judgedAgainst === NO_EVIDENCE && isCommit)
    return saying('ABORT', 'The same was done just now, and nothing on the page shows that the step is done.');
  const isUnopposed = judgedAgainst === undefined || judgedAgainst === NO_EVIDENCE;
  return isUnopposed && !isCommit ? saying('PROCEED', 'It was done just now.') : undefined;
}

export function isSameDeed(one: AIResponse['commands'], other: AIResponse['commands']): boolean {
  const deedsOf = (of: AIResponse['commands']) =>
    canonicalJson(of.map(({ action, parameters }) => [action, parameters]));
  return deedsOf(one) === deedsOf(other);
}

function refusal(missed: readonly string[]): object {
  const left = missed.join(', ');
  return saying(
    'ABORT',
    `Nothing on the page has all that the step names; what would be acted on leaves out: ${left}.`,
  );
}

function saying(action: 'PROCEED' | 'ABORT', message: string): object {
  const reasoning = { analysis: message, rationale: '', expectedOutcome: '', confidence: 0.9 };
  return { decision: { action, message }, reasoning, commands: [] };
}

function askedAgain({ text, functionCalls }: Generation, faults: readonly string[], nonce: string): PromptMessage[] {
  const said = functionCalls[0]?.args ?? text;
  const asked = `Your answer is invalid:\n${fence('fault', faults.join('\n'), nonce)}\nAnswer again, for the whole step.`;
  return [
    { role: 'model', text: said },
    { role: 'user', parts: [{ kind: 'text', text: asked }] },
  ];
}
