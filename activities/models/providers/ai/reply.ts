import type { StreamTextResult, ToolSet } from 'ai';
import type { GeneratedCall, Generation, GenerationRequest, ModelUsage } from '../../port';
import { ProviderError } from '../provider-error';
import type { AiVendor } from './vendors';

type Stream = Pick<StreamTextResult<ToolSet, never, never>, 'fullStream'>;

/** A part of the reply as it goes back to its vendor. */
type Words = { type: 'text' | 'reasoning'; text: string; providerOptions?: object };
type Kept =
  Words | { type: 'tool-call'; toolCallId: string; toolName: string; input: object; providerOptions?: object };

/** Reads a stream of the package to its end. */
export async function readAi(
  name: string,
  vendor: AiVendor,
  { fullStream }: Stream,
  { answer, onDelta, onThought }: GenerationRequest,
): Promise<Generation> {
  let text = '';
  let thoughts = '';
  let model = name;
  const functionCalls: GeneratedCall[] = [];
  const raw: Kept[] = [];
  const open = new Map<string, Words>();
  const keep = (part: { type: string; id: string; text?: string; providerMetadata?: object | undefined }): void => {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    let kept = open.get(key);
    if (kept === undefined) {
      kept = { type, text: '' };
      open.set(key, kept);
      raw.push(kept);
    }
    kept.text += part.text ?? '';
    // A signature comes with the last of its parts.
    if (part.providerMetadata !== undefined) kept.providerOptions = part.providerMetadata;
    if (part.type.endsWith('-end')) open.delete(key);
  };
  for await (const part of fullStream) {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-end':
        keep(part);
        break;
      case 'text-delta':
        keep(part);
        text += part.text;
        onDelta(part.text);
        break;
      case 'reasoning-delta':
        keep(part);
        thoughts += part.text;
        onThought?.(part.text);
        break;
      case 'tool-call': {
        const { toolCallId, toolName, providerMetadata } = part;
        const input: unknown = part.input;
        // Arguments that are no JSON come as they were written.
        const args = typeof input === 'string' ? input : JSON.stringify(input ?? {});
        functionCalls.push({ id: toolCallId, name: toolName, args });
        const providerOptions = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
        const object = typeof input === 'object' && input !== null ? input : {};
        raw.push({ type: 'tool-call', toolCallId, toolName, input: object, ...providerOptions });
        break;
      }
      case 'finish-step':
        model = part.response.modelId;
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        const usage = usageOf(part.totalUsage);
        const isConversation = answer.kind === 'tools';
        const isBare = text === '' && functionCalls.length === 0;
        const isCut = isConversation && part.finishReason === 'length' && !isBare;
        if (!isCut) assertGood(name, part.finishReason, part.rawFinishReason, usage);
        if (isBare && !isConversation)
          throw new ProviderError('empty', `${name} answered with nothing at all.`, { usage });
        const parts = raw.filter((each) => each.type === 'tool-call' || each.text !== '' || each.providerOptions);
        return {
          text,
          thoughts,
          functionCalls,
          stopReason: isCut ? 'max_tokens' : functionCalls.length > 0 ? 'tool_calls' : 'end_turn',
          ...(isConversation ? { raw: { form: 'ai', provider: vendor, parts } } : {}),
          usage,
          model,
        };
      }
      default:
    }
  }
  throw new ProviderError('cut', `The answer of ${name} broke off: its stream ended without a finish reason.`);
}

function usageOf(told: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined };
}): ModelUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails } = told;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens ?? 0 };
}

function assertGood(name: string, reason: string, raw: string | undefined, usage: ModelUsage | undefined): void {
  if (reason === 'stop' || reason === 'tool-calls') return;
  if (reason === 'length')
    throw new ProviderError('truncated', `The answer of ${name} was longer than maxTokens allows.`, { usage });
  const why = raw === undefined ? reason : `${reason}, ${raw}`;
  if (raw === 'RECITATION')
    throw new ProviderError('recitation', `${name} stopped because its answer recited a source.`, { usage });
  if (raw === 'MALFORMED_FUNCTION_CALL' || raw === 'UNEXPECTED_TOOL_CALL')
    throw new ProviderError('malformed-call', `${name} wrote a call that can't be read (${why}).`, { usage });
  if (reason === 'content-filter')
    throw new ProviderError('blocked', `${name} stopped for its safety rules (${why}).`, { usage });
  // A stream that was cut ends so, without a reason of the vendor's.
  const kind = raw === undefined ? 'cut' : 'empty';
  throw new ProviderError(kind, `The answer of ${name} ended without a usable finish (${why}).`, { usage });
}
