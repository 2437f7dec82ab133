import type { ContentPart, MessageItem } from '../../../contracts/tasks/chat';
import type { StoredMessage, SummaryMessage, TaskMessage } from '../../../store/models/messages';
import type { CalledFunction } from '../../../contracts/model-port/language-model';

/** A conversation as it is stored and sent to the model. */
export interface StoredConversation {
  summary: SummaryMessage | null;
  messages: readonly StoredMessage[];
}

/** Lists the parts of a conversation in order (S2.X). `curated` leaves out thoughts and calls without a response. */
export function toHistory({ summary, messages }: StoredConversation, curated = false): MessageItem[] {
  const items: MessageItem[] = summary === null ? [] : [toItem('user', { type: 'text', text: summary.text }, 0)];
  let calls: readonly CalledFunction[] = [];
  let turnIdx = 0;
  for (const message of messages) {
    if (message.kind === 'task') items.push(...taskItems(message, turnIdx + 1));
    if (message.kind === 'reply') {
      turnIdx += 1;
      calls = message.calls;
      items.push(...partsOf(message, curated).map((part) => toItem('assistant', part, turnIdx)));
    }
    if (message.kind === 'results') {
      for (const { end, text } of message.results) {
        const call = calls.find(({ callId }) => callId === end.callId);
        items.push(toItem('user', responseOf(end.callId, call, text), turnIdx));
      }
    }
  }
  return curated ? dropUnansweredCalls(items) : items;
}

function taskItems({ text, images = [] }: TaskMessage, turnIdx: number): MessageItem[] {
  const shown = images.map(({ data, mediaType }) =>
    toItem('user', { type: 'image', data, mimeType: mediaType }, turnIdx),
  );
  return [...(text === '' ? [] : [toItem('user', { type: 'text', text }, turnIdx)]), ...shown];
}

type Reply = Extract<StoredMessage, { kind: 'reply' }>;

function partsOf({ thoughts, text, calls }: Reply, curated: boolean): ContentPart[] {
  return [
    ...(thoughts === '' || curated ? [] : [{ type: 'thinking' as const, thinking: thoughts }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ callId: call_id, functionId, name, args }) => ({
      type: 'function_call' as const,
      functionCall: { ...(functionId === undefined ? {} : { id: functionId }), call_id, name, args },
    })),
  ];
}

function responseOf(call_id: string, call: CalledFunction | undefined, text: string): ContentPart {
  const id = call?.functionId === undefined ? {} : { id: call.functionId };
  const functionResponse = { ...id, call_id, name: call?.name ?? '', result: JSON.stringify({ output: text }) };
  return { type: 'function_response', functionResponse };
}

function dropUnansweredCalls(items: readonly MessageItem[]): MessageItem[] {
  const answered = new Set(items.map(({ content }) => content.functionResponse?.call_id));
  return items.filter(
    ({ content }) => content.functionCall === undefined || answered.has(content.functionCall.call_id),
  );
}

function toItem(role: MessageItem['role'], content: ContentPart, turnIdx: number): MessageItem {
  return { role, content, turnIdx };
}

/** A message of a person as the text of a task. */
export function toText({ type, text, functionCall, functionResponse }: ContentPart): string {
  if (type === 'function_call') return `(calls ${functionCall?.name} with ${functionCall?.args})`;
  if (type === 'function_response') return `(${functionResponse?.name} gave ${functionResponse?.result})`;
  return text ?? `(${type})`;
}
