import { EngineError } from '../failures';
import { checkReply, lenientReply, parseReply, type ParsedReply } from './replies/parse-reply';
import type { CallOptions, Generation, LanguageModel, Model, DecisionResult, DecisionRequest } from './port';
import { NO_USAGE, callLanguage, inputOf } from './calls/language-call';
import { assessWith } from './prompted-assessment';
import { decisionPrompt, FULL_BUDGET, SMALL_BUDGET, type Prompt } from './prompts/decision';
import { repairMessages } from './prompts/repair';
import { SUMMARY_PROMPT } from './prompts/summary';
import { ProviderError } from './providers/provider-error';
import { answerAs, REPLY, type ReplyForm } from './replies/reply-schema';

/**
 * A vendor's model as one that decides: prompt, call, reply. A question that is too long for it is asked once more with
 * less of the page; a reply that does not fit goes back once with what is wrong with it, and then counts as it is.
 */
export function createPromptedModel(language: LanguageModel, form: ReplyForm): Model {
  return {
    assess: (question, asking) => assessWith(language, form, question, asking),
    async turn({ system, messages, tools }, asking) {
      const answer = { kind: 'tools', tools } as const;
      const generation = await callLanguage(language, answer, { system, messages }, asking);
      return { ...generation, usage: generation.usage ?? NO_USAGE, model: language.name };
    },
    async summarize(transcript, asking) {
      const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: transcript }] }];
      const asked = { system: SUMMARY_PROMPT, messages };
      return (await callLanguage(language, { kind: 'text' }, asked, asking)).text;
    },
    async decide(question, asking) {
      const { prompt, generation } = await callWithinContext(language, form, question, asking);
      const first = read(generation, question);
      if (first.kind === 'valid') return answer(first.reply, generation, prompt);

      await asking.listener.discarded();
      const messages = repairMessages(prompt.messages, wordsOf(generation), first.faults);
      const mended = await callLanguage(language, answerAs(form, REPLY), { ...prompt, messages }, asking);
      const second = read(mended, question);
      if (second.kind === 'valid') return answer(second.reply, mended, prompt);

      const told = second.faults.join('; ');
      if (asking.validationMode === 'lenient') {
        const reply = lenientReply(second.value, mended.text);
        const warning = `The reply of ${language.name} does not fit the reply schema, so defaults were filled in: ${told}`;
        return { ...answer(reply, mended, prompt), warnings: [warning] };
      }
      await asking.listener.discarded();
      throw new EngineError(
        'TL003',
        `The reply of ${language.name} does not fit the reply schema, mended once: ${told}`,
        {
          details: { faults: second.faults },
        },
      );
    },
  };

  function answer(reply: unknown, generation: Generation, { sizes }: Prompt): DecisionResult {
    return { reply, usage: generation.usage ?? NO_USAGE, model: language.name, promptSizes: sizes };
  }
}

async function callWithinContext(
  language: LanguageModel,
  form: ReplyForm,
  question: DecisionRequest,
  asking: CallOptions,
): Promise<{ prompt: Prompt; generation: Generation }> {
  const page = question.pageCharacters ?? FULL_BUDGET.page;
  const prompt = decisionPrompt(question, asking.nonce, { ...FULL_BUDGET, page }, asking.system);
  try {
    return { prompt, generation: await callLanguage(language, answerAs(form, REPLY), prompt, asking) };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'too-long') throw error;
    const less = { ...question, picture: undefined };
    const budget = { ...SMALL_BUDGET, page: Math.min(page / 4, SMALL_BUDGET.page) };
    const small = decisionPrompt(less, asking.nonce, budget, asking.system);
    return { prompt: small, generation: await callLanguage(language, answerAs(form, REPLY), small, asking) };
  }
}

function read(generation: Generation, { snapshot: look }: DecisionRequest): ParsedReply {
  const [called] = generation.functionCalls;
  return called === undefined ? parseReply(generation.text, look) : checkReply(inputOf(called), look);
}

function wordsOf({ text, functionCalls }: Generation): string {
  return functionCalls.length === 0 ? text : functionCalls[0]!.args;
}
