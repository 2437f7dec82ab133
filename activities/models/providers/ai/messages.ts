import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai';
import type { ConversationCall, ConversationResult, PromptMessage, PromptPart } from '../../port';
import { callable, objectIn, picturesOf, textOf } from '../google/request';
import type { AiVendor } from './vendors';

/** What the vendor itself wrote goes back to it as it came; to any other the text and the calls. */
export function toMessages(messages: readonly PromptMessage[], vendor: AiVendor): ModelMessage[] {
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
      toolName: callable(name),
      input: objectIn(args),
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

/** Not every vendor takes a picture in a result, so pictures follow in a message of the user, each said whose it is. */
function resultMessages(
  { results, parts }: { results: readonly ConversationResult[]; parts: readonly PromptPart[] },
  isOwn: boolean,
): ModelMessage[] {
  const idOf = ({ callId, functionId }: ConversationCall): string => (isOwn ? (functionId ?? callId) : callId);
  const pictures = results.flatMap(({ call: { name }, parts: told }, index) =>
    picturesOf(told).flatMap((picture): UserPart[] => [
      { type: 'text', text: `Picture of result ${index + 1} (${name}):` },
      toPart(picture),
    ]),
  );
  const beside = [...pictures, ...parts.map(toPart)];
  return [
    {
      role: 'tool',
      content: results.map(({ call, parts: told, isError }) => ({
        type: 'tool-result',
        toolCallId: idOf(call),
        toolName: isOwn ? call.name : callable(call.name),
        output: { type: isError ? 'error-text' : 'text', value: textOf(told) },
      })),
    },
    ...(beside.length === 0 ? [] : [{ role: 'user' as const, content: beside }]),
  ];
}

/** Anthropic caches up to a mark: it stands on the last message, so that the next turn finds all before it. */
export function withCacheMark(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  return [...messages.slice(0, -1), { ...last, providerOptions } as ModelMessage];
}
