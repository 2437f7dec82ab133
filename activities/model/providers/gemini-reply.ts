import type { Generation, ModelUsage } from '../port';
import { GoogleErrorSchema, googleTrouble } from './google-errors';
import { ModelTrouble } from './trouble';

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
  functionCall?: { name?: string | undefined; args?: object | undefined } | undefined;
}

/** Reads a stream to its end. What the vendor calls a finish, but is none for us, is thrown as what it is. */
export async function readGemini(
  name: string,
  chunks: AsyncIterable<GeminiChunk>,
  onDelta: (text: string) => void,
): Promise<Generation> {
  let text = '';
  let finish: { reason: string; message: string | undefined } | undefined;
  let usage: ModelUsage | undefined;
  let model: string | undefined;
  const functionCalls: Generation['functionCalls'] = [];
  for await (const chunk of chunks) {
    const failed = GoogleErrorSchema.safeParse(chunk);
    if (failed.success) throw googleTrouble(name, failed.data.error, null);
    usage = usageOf(chunk) ?? usage;
    model = chunk.modelVersion ?? model;
    if (chunk.promptFeedback?.blockReason !== undefined) {
      const { blockReason, blockReasonMessage } = chunk.promptFeedback;
      throw new ModelTrouble(
        'blocked',
        `${name} refused the prompt: ${blockReason}. ${blockReasonMessage ?? ''}`.trim(),
        {
          usage,
        },
      );
    }
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) {
      if (part.functionCall?.name !== undefined)
        functionCalls.push({ name: part.functionCall.name, input: part.functionCall.args ?? {} });
      if (part.text === undefined || part.text === '' || part.thought === true) continue;
      text += part.text;
      onDelta(part.text);
    }
    if (candidate?.finishReason !== undefined)
      finish = { reason: candidate.finishReason, message: candidate.finishMessage };
  }
  if (finish === undefined)
    throw new ModelTrouble('cut', `The answer of ${name} broke off: its stream ended without a finish reason.`, {
      usage,
    });
  assertGood(name, finish.reason, finish.message, usage);
  if (text === '' && functionCalls.length === 0)
    throw new ModelTrouble('empty', `${name} answered with nothing at all.`, { usage });
  return {
    text,
    functionCalls,
    stopReason: functionCalls.length > 0 ? 'function-call' : 'stop',
    usage,
    model: model ?? name,
  };
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
      throw new ModelTrouble('truncated', `The answer of ${name} was longer than maxTokens allows.`, { usage });
    case 'RECITATION':
      throw new ModelTrouble('recitation', `${name} stopped because its answer recited a source (${why}).`, { usage });
    case 'SAFETY':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
      throw new ModelTrouble('blocked', `${name} stopped for its safety rules (${why}).`, { usage });
    default:
      throw new ModelTrouble('empty', `${name} gave no usable answer (${why}).`, { usage });
  }
}
