import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai';
import type { ConversationCall, ConversationResult, PromptMessage, PromptPart } from '../../language-model';
import { argumentsObject, labelledImages, textOf, toFunctionName } from '../../prompt-parts';
import type { VendorName } from '../../../../contracts/models/vendors';

/** Converts messages. Replies of this vendor go back to it unchanged, replies of others as text and calls. */
export function toMessages(messages: readonly PromptMessage[], vendor: VendorName): ModelMessage[] {
  let isOwn = false;
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'user') return [{ role: 'user', content: message.parts.map(toPart) }];
    if (message.role === 'results') return resultMessages(message, isOwn);
    const { text, calls = [], raw } = message;
    isOwn = raw?.form === 'ai' && raw.provider === vendor && raw.parts.length > 0;
    if (isOwn) return [{ role: 'assistant', content: raw!.parts } as AssistantModelMessage];
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

type UserPart = Exclude<UserModelMessage['content'], string>[number];

function toPart(part: PromptPart): UserPart {
  return part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'file', data: part.base64, mediaType: part.mediaType };
}

/** The results of all calls; their images and the parts beside them follow in a message of the user. */
function resultMessages(
  { results, parts }: { results: readonly ConversationResult[]; parts: readonly PromptPart[] },
  isOwn: boolean,
): ModelMessage[] {
  const idOf = ({ callId, functionId }: ConversationCall): string => (isOwn ? (functionId ?? callId) : callId);
  const beside = [...labelledImages(results), ...parts].map(toPart);
  return [
    {
      role: 'tool',
      content: results.map(({ call, parts: content, isError }) => ({
        type: 'tool-result',
        toolCallId: idOf(call),
        toolName: isOwn ? call.name : toFunctionName(call.name),
        output: { type: isError ? 'error-text' : 'text', value: textOf(content) },
      })),
    },
    ...(beside.length === 0 ? [] : [{ role: 'user' as const, content: beside }]),
  ];
}

/** Anthropic caches everything up to a mark. On the last message, the mark lets the next turn reuse all before it. */
export function withCacheMark(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  return [...messages.slice(0, -1), { ...last, providerOptions } as ModelMessage];
}
