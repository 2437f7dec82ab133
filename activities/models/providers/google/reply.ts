import type { Generation, GenerationRequest, ModelUsage } from '../../port';
import { GoogleErrorSchema, toGoogleError } from './errors';
import { ProviderError } from '../provider-error';

/** A chunk of a Gemini stream, as far as it is read here; both Google SDKs hand over the wire's own shape. */
export interface GeminiChunk {
  candidates?:
    | {
        content?: { parts?: GeminiPart[] | undefined } | undefined;
        finishReason?: string | undefined;
        finishMessage?: string | undefined;
      }[]
    | undefined;
  promptFeedback?: { blockReason?: string | undefined; blockReasonMessage?: string | undefined } | undefined;
  usageMetadata?:
    | {
        promptTokenCount?: number | undefined;
        totalTokenCount?: number | undefined;
        cachedContentTokenCount?: number | undefined;
      }
    | undefined;
  modelVersion?: string | undefined;
}

interface GeminiPart {
  text?: string | undefined;
  thought?: boolean | undefined;
  functionCall?: { id?: string | undefined; name?: string | undefined; args?: object | undefined } | undefined;
}

/** Reads a stream to its end. What the vendor calls a finish, but is none for us, is thrown as what it is. */
export async function readGemini(
  name: string,
  chunks: AsyncIterable<GeminiChunk>,
  { answer, onDelta, onThought }: Pick<GenerationRequest, 'answer' | 'onDelta' | 'onThought'>,
): Promise<Generation> {
  let text = '';
  let thoughts = '';
  const raw: GeminiPart[] = [];
  let finish: { reason: string; message: string | undefined } | undefined;
  let usage: ModelUsage | undefined;
  let model: string | undefined;
  const functionCalls: Generation['functionCalls'] = [];
  for await (const chunk of chunks) {
    const failed = GoogleErrorSchema.safeParse(chunk);
    if (failed.success) throw toGoogleError(name, failed.data.error, null);
    usage = usageOf(chunk) ?? usage;
    model = chunk.modelVersion ?? model;
    if (chunk.promptFeedback?.blockReason !== undefined) {
      const { blockReason, blockReasonMessage } = chunk.promptFeedback;
      throw new ProviderError(
        'blocked',
        `${name} refused the prompt: ${blockReason}. ${blockReasonMessage ?? ''}`.trim(),
        {
          usage,
        },
      );
    }
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) {
      keep(raw, part);
      if (part.functionCall?.name !== undefined) {
        const { id, name: called, args = {} } = part.functionCall;
        functionCalls.push({ ...(id === undefined ? {} : { id }), name: called, args: JSON.stringify(args) });
      }
      if (part.text === undefined || part.text === '') continue;
      if (part.thought === true) {
        thoughts += part.text;
        onThought?.(part.text);
      } else {
        text += part.text;
        onDelta(part.text);
      }
    }
    if (candidate?.finishReason !== undefined)
      finish = { reason: candidate.finishReason, message: candidate.finishMessage };
  }
  if (finish === undefined)
    throw new ProviderError('cut', `The answer of ${name} broke off: its stream ended without a finish reason.`, {
      usage,
    });
  const isConversation = answer.kind === 'tools';
  const isBare = text === '' && functionCalls.length === 0;
  const isCut = isConversation && finish.reason === 'MAX_TOKENS' && !isBare;
  if (!isCut) assertGood(name, finish.reason, finish.message, usage);
  if (isBare && !isConversation) throw new ProviderError('empty', `${name} answered with nothing at all.`, { usage });
  return {
    text,
    thoughts,
    functionCalls,
    stopReason: isCut ? 'max_tokens' : functionCalls.length > 0 ? 'tool_calls' : 'end_turn',
    ...(isConversation ? { raw: { form: 'gemini', provider: 'gemini', parts: raw } } : {}),
    usage,
    model: model ?? name,
  };
}

/** A stream cuts a text into many parts: those that are nothing but text become one again. */
function keep(parts: GeminiPart[], part: GeminiPart): void {
  const last = parts.at(-1);
  if (part.text === '' && Object.keys(part).length === 1) return;
  if (last !== undefined && isPlain(last) && isPlain(part) && last.thought === part.thought)
    parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` };
  else parts.push(part);
}

function isPlain(part: GeminiPart): boolean {
  return part.text !== undefined && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

/** Thoughts are not told apart by every SDK but always billed as output: it is what the total has beyond the prompt. */
function usageOf({ usageMetadata }: GeminiChunk): ModelUsage | undefined {
  if (usageMetadata?.totalTokenCount === undefined) return undefined;
  const inputTokens = usageMetadata.promptTokenCount ?? 0;
  return {
    inputTokens,
    outputTokens: Math.max(0, usageMetadata.totalTokenCount - inputTokens),
    cachedTokens: usageMetadata.cachedContentTokenCount ?? 0,
  };
}

function assertGood(name: string, reason: string, told: string | undefined, usage: ModelUsage | undefined): void {
  const why = told === undefined ? reason : `${reason}, ${told}`;
  switch (reason) {
    case 'STOP':
      return;
    case 'MAX_TOKENS':
      throw new ProviderError('truncated', `The answer of ${name} was longer than maxTokens allows.`, { usage });
    case 'MALFORMED_FUNCTION_CALL':
    case 'UNEXPECTED_TOOL_CALL':
      throw new ProviderError('malformed-call', `${name} wrote a call that can't be read (${why}).`, { usage });
    case 'RECITATION':
      throw new ProviderError('recitation', `${name} stopped because its answer recited a source (${why}).`, { usage });
    case 'SAFETY':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
      throw new ProviderError('blocked', `${name} stopped for its safety rules (${why}).`, { usage });
    default:
      throw new ProviderError('empty', `${name} gave no usable answer (${why}).`, { usage });
  }
}
