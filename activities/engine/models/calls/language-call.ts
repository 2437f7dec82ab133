import type {
  GeneratedCall,
  Generation,
  GenerationRequest,
  LanguageModel,
  PromptMessage,
  PromptPart,
  ModelUsage,
} from '../../../../contracts/model-port/language-model';
import type { TurnOptions } from '../../../../contracts/model-port/port';
import { imagesOf } from '../prompt-parts';
import { answerWithin } from './context-window';
import { ProviderError } from '../providers/provider-error';

/** Of a reply that costs no call, and of a vendor that reports none. */
export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** A cut answer gets this many times the tokens: a model that thinks may have used all of them for its thoughts. */
export const MORE_ROOM = 4;

/** Makes a call, and once more with more room where its answer was cut off. */
export async function callWithRoom(
  language: LanguageModel,
  answer: GenerationRequest['answer'],
  prompt: Pick<GenerationRequest, 'system' | 'messages'>,
  options: TurnOptions,
): Promise<Generation> {
  try {
    return await callLanguage(language, answer, prompt, options);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'truncated') throw error;
    const { ai } = options;
    const withRoom = { ...options, ai: { ...ai, maxTokens: ai.maxTokens * MORE_ROOM } };
    return await callLanguage(language, answer, prompt, withRoom).catch((second: unknown) => {
      // A model that can't write so much refuses the request: its answer was cut off, and that is the fault to report.
      throw second instanceof ProviderError && second.kind === 'bad-request' ? error : second;
    });
  }
}

/** Makes one call and reports its start, deltas, end and usage to the listener, however it ends. */
export async function callLanguage(
  language: LanguageModel,
  answer: GenerationRequest['answer'],
  { system, messages }: Pick<GenerationRequest, 'system' | 'messages'>,
  { signal, ai, listener }: TurnOptions,
): Promise<Generation> {
  const startedAt = performance.now();
  let received = 0;
  const estimate = (): ModelUsage => ({
    inputTokens:
      tokensOf(system.length + answerSize(answer) + sizeOf(messages)) + picturesIn(messages) * PICTURE_TOKENS,
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
  const { name: model, keyHash, limits } = language;
  const maxTokens = answerWithin(language.contextWindow, ai.maxTokens);
  await listener.started({ model, usage: estimate(), maxTokens, keyHash, limits });
  try {
    const generation = await language.generate({
      system,
      messages,
      answer,
      temperature: ai.temperature,
      maxTokens,
      timeoutMs: ai.timeoutMs,
      signal,
      onDelta: (text) => {
        received += text.length;
        listener.delta(text);
      },
      onThought: (text) => {
        received += text.length;
        listener.thought?.(text);
      },
    });
    await ended('replied', generation.usage ?? estimate(), generation.usage === undefined);
    return generation;
  } catch (error) {
    const failure = error instanceof ProviderError ? error : undefined;
    // A vendor most likely bills nothing for a call without any output, and at least a part of one with output.
    const isPaid = received > 0 || failure?.kind === 'stalled';
    await listener.discarded();
    const reported = failure?.facts.usage;
    const usage = reported ?? (isPaid ? estimate() : NO_USAGE);
    await ended(failure?.kind ?? (signal.aborted ? 'aborted' : 'failed'), usage, reported === undefined && isPaid);
    throw error;
  }
}

/** Parses the arguments of a call; returns their text where they are no JSON. */
export function inputOf({ args }: GeneratedCall): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** Tokens that a picture counts as, for every vendor: those that are sent have at most 1.15 megapixels. */
export const PICTURE_TOKENS = 1500;

/** The characters of schemas and declarations of functions, which vendors bill as input. */
function answerSize(answer: GenerationRequest['answer']): number {
  if (answer.kind === 'text') return 0;
  return JSON.stringify(answer.kind === 'json' ? answer.schema : answer.tools).length;
}

/** Counts the pictures of messages, those of results included. */
export function picturesIn(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === 'model') return sum;
    const ofResults = message.role === 'results' ? message.results.flatMap(({ parts }) => parts) : [];
    return sum + imagesOf([...ofResults, ...message.parts]).length;
  }, 0);
}

/** Estimates tokens, at four characters each, for calls whose vendor reports no usage. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

function sizeOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => sum + charactersOf(message), 0);
}

/** Counts the characters of a message's texts and calls. */
export function charactersOf(message: PromptMessage): number {
  const inParts = (parts: readonly PromptPart[]): number =>
    parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  if (message.role === 'user') return inParts(message.parts);
  if (message.role === 'results')
    return message.results.reduce((sum, { parts }) => sum + inParts(parts), inParts(message.parts));
  return (message.calls ?? []).reduce((sum, { name, args }) => sum + name.length + args.length, message.text.length);
}
