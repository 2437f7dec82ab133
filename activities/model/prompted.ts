import { EngineError } from '../failures';
import { checkReply, lenientReply, parseReply, type ParsedReply } from './parse-reply';
import type {
  Asking,
  Generation,
  LanguageModel,
  Model,
  ModelAnswer,
  ModelUsage,
  PromptMessage,
  StepQuestion,
} from './port';
import { actionPrompt, FULL_BUDGET, SMALL_BUDGET, type Prompt } from './prompts/action';
import { repairMessages } from './prompts/repair';
import { ModelTrouble } from './providers/trouble';
import { replyFunction, replySchema } from './reply-schema';

/** How a model is asked to answer. */
export type ReplyForm = 'json' | 'function';

/**
 * A vendor's model as one that decides: prompt, call, reply. A question that is too long for it is asked once more with
 * less of the page; a reply that does not fit goes back once with what is wrong with it, and then counts as it is.
 */
export function createPromptedModel(language: LanguageModel, form: ReplyForm): Model {
  return {
    async decide(question, asking) {
      const { prompt, generation } = await askWithin(language, form, question, asking);
      const first = read(generation, question);
      if (first.kind === 'valid') return answer(first.reply, generation, prompt);

      await asking.listener.discarded();
      const messages = repairMessages(prompt.messages, wordsOf(generation), first.faults);
      const mended = await call(language, form, { ...prompt, messages }, asking);
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

  function answer(reply: unknown, generation: Generation, { sizes }: Prompt): ModelAnswer {
    return { reply, usage: generation.usage ?? NO_USAGE, model: language.name, promptSizes: sizes };
  }
}

const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

async function askWithin(
  language: LanguageModel,
  form: ReplyForm,
  question: StepQuestion,
  asking: Asking,
): Promise<{ prompt: Prompt; generation: Generation }> {
  const page = question.pageCharacters ?? FULL_BUDGET.page;
  const prompt = actionPrompt(question, asking.nonce, { ...FULL_BUDGET, page }, asking.system);
  try {
    return { prompt, generation: await call(language, form, prompt, asking) };
  } catch (error) {
    if (!(error instanceof ModelTrouble) || error.kind !== 'too-long') throw error;
    const less = { ...question, picture: undefined };
    const budget = { ...SMALL_BUDGET, page: Math.min(page / 4, SMALL_BUDGET.page) };
    const small = actionPrompt(less, asking.nonce, budget, asking.system);
    return { prompt: small, generation: await call(language, form, small, asking) };
  }
}

/** One call, told to the listener with what it used, however it ends. */
async function call(
  language: LanguageModel,
  form: ReplyForm,
  { system, messages }: Pick<Prompt, 'system' | 'messages'>,
  { signal, ai, listener }: Asking,
): Promise<Generation> {
  const startedAt = performance.now();
  let received = 0;
  const estimate = (): ModelUsage => ({
    inputTokens: tokensOf(system.length + sizeOf(messages)),
    outputTokens: tokensOf(received),
    cachedTokens: 0,
  });
  const ended = (outcome: string, usage: ModelUsage, isEstimated: boolean) =>
    listener.ended({
      model: language.name,
      outcome,
      usage,
      isEstimated,
      durationMs: Math.round(performance.now() - startedAt),
    });
  await listener.started({ model: language.name, usage: estimate() });
  try {
    const generation = await language.generate({
      system,
      messages,
      answer:
        form === 'json' ? { kind: 'json', schema: replySchema() } : { kind: 'functions', tools: [replyFunction()] },
      temperature: ai.temperature,
      maxTokens: ai.maxTokens,
      idleMs: ai.timeoutMs,
      signal,
      onDelta: (text) => {
        received += text.length;
        listener.delta(text);
      },
    });
    await ended('replied', generation.usage ?? estimate(), generation.usage === undefined);
    return generation;
  } catch (error) {
    const trouble = error instanceof ModelTrouble ? error : undefined;
    // A call that never got anything back is most likely not billed; one that was under way is, at least in part.
    const isPaid = received > 0 || trouble?.kind === 'stalled';
    await listener.discarded();
    const told = trouble?.facts.usage;
    const usage = told ?? (isPaid ? estimate() : NO_USAGE);
    await ended(trouble?.kind ?? (signal.aborted ? 'aborted' : 'failed'), usage, told === undefined && isPaid);
    throw error;
  }
}

function read(generation: Generation, { look }: StepQuestion): ParsedReply {
  const [called] = generation.functionCalls;
  return called === undefined ? parseReply(generation.text, look) : checkReply(called.input, look);
}

function wordsOf({ text, functionCalls }: Generation): string {
  return functionCalls.length === 0 ? text : JSON.stringify(functionCalls[0]!.input);
}

/** About four characters make a token; only for calls whose provider told none. */
function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

function sizeOf(messages: readonly PromptMessage[]): number {
  return messages
    .flatMap((message) =>
      message.role === 'model'
        ? [message.text.length]
        : message.parts.map((part) => (part.kind === 'text' ? part.text.length : 0)),
    )
    .reduce((sum, size) => sum + size, 0);
}
