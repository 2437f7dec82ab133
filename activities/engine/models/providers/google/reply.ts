import type { Generation, GenerationRequest, ModelUsage } from '../../../../../contracts/model-port/language-model';
import { GoogleErrorSchema, toGoogleError } from './errors';
import { toGeneration, type Finish } from '../finish';
import { ProviderError } from '../provider-error';

/** The members of a stream's chunk that are read here; both of Google's SDKs return the API's JSON. */
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

const FINISHES: Readonly<Record<string, Finish>> = {
  STOP: 'stop',
  MAX_TOKENS: 'truncated',
  MALFORMED_FUNCTION_CALL: 'malformed-call',
  UNEXPECTED_TOOL_CALL: 'malformed-call',
  RECITATION: 'recitation',
  SAFETY: 'blocked',
  BLOCKLIST: 'blocked',
  PROHIBITED_CONTENT: 'blocked',
  SPII: 'blocked',
  IMAGE_SAFETY: 'blocked',
};

/** Reads a stream to its end. Throws a ProviderError where the stream ended without a usable answer. */
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
  const received = { text, thoughts, functionCalls, usage, model: model ?? name };
  const reply = { ...received, raw: { form: 'gemini' as const, provider: 'gemini', parts: raw } };
  if (finish === undefined) return toGeneration(name, answer, reply, 'cut', undefined);
  const { reason, message } = finish;
  const vendorReason = message === undefined ? reason : `${reason}, ${message}`;
  return toGeneration(name, answer, reply, FINISHES[reason] ?? 'empty', vendorReason);
}

/** Adds a part. A stream cuts a text into many parts: neighbours that hold only text are joined. */
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

/** Not every SDK reports thoughts apart, but all are billed as output: output is the total without the prompt. */
function usageOf({ usageMetadata }: GeminiChunk): ModelUsage | undefined {
  if (usageMetadata?.totalTokenCount === undefined) return undefined;
  const inputTokens = usageMetadata.promptTokenCount ?? 0;
  return {
    inputTokens,
    outputTokens: Math.max(0, usageMetadata.totalTokenCount - inputTokens),
    cachedTokens: usageMetadata.cachedContentTokenCount ?? 0,
  };
}
