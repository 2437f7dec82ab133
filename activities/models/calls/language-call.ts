import type {
  GeneratedCall,
  Generation,
  GenerationRequest,
  LanguageModel,
  PromptMessage,
  PromptPart,
  ModelUsage,
} from '../language-model';
import type { TurnOptions } from '../port';
import { ProviderError } from '../providers/provider-error';

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** One call, told to the listener with what it used, however it ends. */
export async function callLanguage(
  language: LanguageModel,
  answer: GenerationRequest['answer'],
  { system, messages }: Pick<GenerationRequest, 'system' | 'messages'>,
  { signal, ai, listener }: TurnOptions,
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
  const { name: model, keyHash } = language;
  await listener.started({ model, usage: estimate(), maxTokens: ai.maxTokens, keyHash });
  try {
    const generation = await language.generate({
      system,
      messages,
      answer,
      temperature: ai.temperature,
      maxTokens: ai.maxTokens,
      idleMs: ai.timeoutMs,
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
    const trouble = error instanceof ProviderError ? error : undefined;
    // A call that never got anything back is most likely not billed; one that was under way is, at least in part.
    const isPaid = received > 0 || trouble?.kind === 'stalled';
    await listener.discarded();
    const told = trouble?.facts.usage;
    const usage = told ?? (isPaid ? estimate() : NO_USAGE);
    await ended(trouble?.kind ?? (signal.aborted ? 'aborted' : 'failed'), usage, told === undefined && isPaid);
    throw error;
  }
}

/** The arguments of a call; their text where they are no JSON. */
export function inputOf({ args }: GeneratedCall): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** About four characters make a token; only for calls whose provider told none. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

function sizeOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => sum + charactersOf(message), 0);
}

/** Of its text and calls. */
export function charactersOf(message: PromptMessage): number {
  const inParts = (parts: readonly PromptPart[]): number =>
    parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  if (message.role === 'user') return inParts(message.parts);
  if (message.role === 'results')
    return message.results.reduce((sum, { parts }) => sum + inParts(parts), inParts(message.parts));
  return (message.calls ?? []).reduce((sum, { name, args }) => sum + name.length + args.length, message.text.length);
}
