import type { StreamTextResult, ToolSet } from 'ai';
import type {
  GeneratedCall,
  Generation,
  GenerationRequest,
  ModelUsage,
} from '../../../../../contracts/model-port/language-model';
import { toGeneration, type Finish } from '../finish';
import { ProviderError } from '../provider-error';
import type { VendorName } from '../../../../../contracts/models/vendors';

type Stream = Pick<StreamTextResult<ToolSet, never, never>, 'fullStream'>;

/** Parts of the reply in the form in which they go back to the vendor. */
type TextPart = { type: 'text' | 'reasoning'; text: string; providerOptions?: object };
type RawPart =
  TextPart | { type: 'tool-call'; toolCallId: string; toolName: string; input: object; providerOptions?: object };

/** Reads a stream of the package to its end. Throws a ProviderError where it ends without a usable answer. */
export async function readAi(
  name: string,
  vendor: VendorName,
  { fullStream }: Stream,
  { answer, onDelta, onThought }: GenerationRequest,
): Promise<Generation> {
  let text = '';
  let thoughts = '';
  let model = name;
  const functionCalls: GeneratedCall[] = [];
  const raw: RawPart[] = [];
  const open = new Map<string, TextPart>();
  const keep = (part: { type: string; id: string; text?: string; providerMetadata?: object | undefined }): void => {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    let partial = open.get(key);
    if (partial === undefined) {
      partial = { type, text: '' };
      open.set(key, partial);
      raw.push(partial);
    }
    partial.text += part.text ?? '';
    // A signature comes with the last delta of a part.
    if (part.providerMetadata !== undefined) partial.providerOptions = part.providerMetadata;
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
        // Arguments that are no JSON are passed as text.
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
        const parts = raw.filter((each) => each.type === 'tool-call' || each.text !== '' || each.providerOptions);
        const received = { text, thoughts, functionCalls, usage: usageOf(part.totalUsage), model };
        const reply = { ...received, raw: { form: 'ai' as const, provider: vendor, parts } };
        const { finishReason, rawFinishReason } = part;
        const vendorReason = rawFinishReason === undefined ? finishReason : `${finishReason}, ${rawFinishReason}`;
        return toGeneration(name, answer, reply, toFinish(finishReason, rawFinishReason), vendorReason);
      }
      default:
    }
  }
  throw new ProviderError('cut', `${name} ended its stream without a reason.`);
}

function usageOf(reported: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined };
}): ModelUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails } = reported;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens ?? 0 };
}

/** The words of vLLM for a request that it gave up, and of Ollama for a model that it loads or puts away. */
const STOPPED_BY_SERVER = new Set(['abort', 'load', 'unload']);

function toFinish(reason: string, vendorReason: string | undefined): Finish {
  if (reason === 'stop' || reason === 'tool-calls') return 'stop';
  if (vendorReason !== undefined && STOPPED_BY_SERVER.has(vendorReason)) return 'cut';
  if (vendorReason === 'eos_token' || vendorReason === 'stop_sequence') return 'stop';
  if (reason === 'length') return 'truncated';
  if (vendorReason === 'RECITATION') return 'recitation';
  if (vendorReason === 'MALFORMED_FUNCTION_CALL' || vendorReason === 'UNEXPECTED_TOOL_CALL') return 'malformed-call';
  if (reason === 'content-filter') return 'blocked';
  // A stream that was cut ends without the vendor's reason.
  return vendorReason === undefined ? 'cut' : 'empty';
}
