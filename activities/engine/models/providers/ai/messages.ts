import type { AssistantModelMessage, ModelMessage, SystemModelMessage, UserModelMessage } from 'ai';
import { isObject } from '../../../../../contracts/json';
import {
  toVendorResults,
  type ComputerProtocol,
  type ComputerResult,
  type VendorResult,
} from '../../computer-use/computer-calls';
import type {
  CalledFunction,
  ConversationResult,
  PromptMessage,
  PromptPart,
} from '../../../../../contracts/model-port/language-model';
import { argumentsObject, labelledImages, promptText, toFunctionName } from '../../prompt-parts';
import type { VendorName } from '../../../../../contracts/models/vendors';

/** Converts messages. Replies of this vendor go back to it unchanged, replies of others as text and calls. */
export function toMessages(
  messages: readonly PromptMessage[],
  vendor: VendorName,
  protocol: ComputerProtocol,
): ModelMessage[] {
  let isOwn = false;
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'user') return [{ role: 'user', content: message.parts.map(toPart) }];
    if (message.role === 'results') return resultMessages(message, isOwn, protocol);
    const { text, calls = [], raw } = message;
    isOwn = raw?.form === 'ai' && raw.provider === vendor && raw.parts.length > 0;
    if (isOwn) return [{ role: 'assistant', content: withoutThoughts(raw!.parts) } as AssistantModelMessage];
    if (calls.length === 0) return [{ role: 'assistant', content: text }];
    const called = calls.map(({ callId: toolCallId, name, args }) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName: toFunctionName(name),
      input: argumentsObject(args),
    }));
    return [{ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...called] }];
  });
}

/** Thoughts are billed as input and help no later turn. Those with a signature have to go back to the vendor that signed. */
function withoutThoughts(parts: readonly unknown[]): unknown[] {
  const isThought = (part: unknown): boolean => isObject(part) && part['type'] === 'reasoning';
  const kept = parts.filter(
    (part) => !isThought(part) || (part as object & { providerOptions?: object }).providerOptions,
  );
  return kept.length === 0 ? [...parts] : kept;
}

type UserPart = Exclude<UserModelMessage['content'], string>[number];

function toPart(part: PromptPart): UserPart {
  return part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'file', data: part.base64, mediaType: part.mediaType };
}

type ToolOutput = Extract<ModelMessage, { role: 'tool' }>['content'][number] & { type: 'tool-result' };

/** The results of all calls; their images and the parts beside them follow in a message of the user. */
function resultMessages(
  { results, parts }: { results: readonly ConversationResult[]; parts: readonly PromptPart[] },
  isOwn: boolean,
  protocol: ComputerProtocol,
): ModelMessage[] {
  const idOf = ({ callId, functionId }: CalledFunction): string => (isOwn ? (functionId ?? callId) : callId);
  const answered = isOwn ? toVendorResults(results) : results.map((result) => ({ kind: 'own', result }) as const);
  const own = answered.flatMap((each) => (each.kind === 'own' ? [each.result] : []));
  const said = answered.flatMap((each) => (each.kind === 'computer' ? besideComputer(each.result, protocol) : []));
  const beside = [...said, ...labelledImages(own), ...parts].map(toPart);
  // A note after an answer stands beside no result, and vendors refuse a message without content.
  const answers: ModelMessage[] = results.length === 0 ? [] : [{ role: 'tool', content: answered.map(toOutput) }];
  return [...answers, ...(beside.length === 0 ? [] : [{ role: 'user' as const, content: beside }])];

  function toOutput(each: VendorResult): ToolOutput {
    if (each.kind === 'computer') return computerOutput(each.result, protocol);
    const { call, parts: content, isError } = each.result;
    return {
      type: 'tool-result',
      toolCallId: idOf(call),
      toolName: isOwn ? call.name : toFunctionName(call.name),
      output: { type: isError ? 'error-text' : 'text', value: promptText(content) },
    };
  }
}

/** Stands where a picture is older than those that are sent: OpenAI's computer tool takes no result without one. */
const NO_PICTURE = {
  mediaType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

function computerOutput({ id = '', name, text, image }: ComputerResult, protocol: ComputerProtocol): ToolOutput {
  const base = { type: 'tool-result' as const, toolCallId: id, toolName: name };
  if (protocol === 'openai') {
    const { mediaType, base64 } = image ?? NO_PICTURE;
    const imageUrl = `data:${mediaType};base64,${base64}`;
    return { ...base, output: { type: 'json', value: { output: { type: 'computer_screenshot', imageUrl } } } };
  }
  const picture =
    image === undefined
      ? []
      : [{ type: 'file' as const, mediaType: image.mediaType, data: { type: 'data' as const, data: image.base64 } }];
  return { ...base, output: { type: 'content', value: [{ type: 'text', text }, ...picture] } };
}

/** OpenAI's computer tool takes a picture alone: what the actions say stands beside it. */
function besideComputer({ text }: ComputerResult, protocol: ComputerProtocol): PromptPart[] {
  return protocol === 'openai' ? [{ kind: 'text', text }] : [];
}

/** Anthropic caches everything up to a mark. */
const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/** The system prompt, marked for Anthropic: with the tools, which stand before it, it is the same in every call. */
export function toInstructions(system: string, isMarked: boolean): string | SystemModelMessage {
  return isMarked ? { role: 'system', content: system, providerOptions: CACHE_MARK } : system;
}

/** On the last message, the mark lets the next turn reuse all before it. */
export function withCacheMark(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, providerOptions: CACHE_MARK } as ModelMessage];
}
