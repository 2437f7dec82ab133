import { parseObject } from '../../../contracts/json';
import type { MessageItem } from '../../../contracts/tasks/chat';
import { imageOf } from '../../../contracts/tasks/given-history';
import type { ReplyMessage, ResultsMessage, TaskMessage } from '../../../store/models/messages';

type Given = TaskMessage | ReplyMessage | ResultsMessage;

/**
 * The messages that a task gives of before it, as those of a conversation: parts that stand one after the other on a side
 * are one message. Valid ones have each response after its call (GivenHistorySchema).
 */
export function givenMessages(items: readonly MessageItem[]): Given[] {
  const messages: Given[] = [];
  for (const { role, content } of items) {
    const last = messages.at(-1);
    if (role === 'assistant') {
      const reply = last?.kind === 'reply' ? last : emptyReply();
      if (reply !== last) messages.push(reply);
      addToReply(reply, content);
    } else if (content.type === 'function_response') {
      const results: ResultsMessage = last?.kind === 'results' ? last : { kind: 'results', results: [], notes: [] };
      if (results !== last) messages.push(results);
      results.results.push(resultOf(content.functionResponse!));
    } else if (content.type === 'image') {
      const task: TaskMessage = last?.kind === 'task' ? last : { kind: 'task', text: '' };
      if (task !== last) messages.push(task);
      const image = imageOf(content);
      if (!('problem' in image)) task.images = [...(task.images ?? []), image];
    } else messages.push({ kind: 'task', text: content.text! });
  }
  return messages;
}

function addToReply(reply: ReplyMessage, { text, thinking, functionCall }: MessageItem['content']): void {
  if (text !== undefined) reply.text = reply.text === '' ? text : `${reply.text}\n${text}`;
  if (thinking !== undefined) reply.thoughts = reply.thoughts === '' ? thinking : `${reply.thoughts}\n${thinking}`;
  if (functionCall === undefined) return;
  const { call_id: callId, id: functionId, name, args } = functionCall;
  reply.calls.push({ callId, ...(functionId === undefined ? {} : { functionId }), name, args });
}

/** Results of ours say in JSON what the model got as text. */
function resultOf({ call_id: callId, result }: NonNullable<MessageItem['content']['functionResponse']>) {
  const output = parseObject(result)?.['output'];
  const text = typeof output === 'string' ? output : result;
  return { end: { callId, status: 'success' as const }, text, pictures: 0 };
}

/** Nothing was billed for it here. */
function emptyReply(): ReplyMessage {
  return {
    kind: 'reply',
    responseId: '',
    previousResponseId: '',
    text: '',
    thoughts: '',
    calls: [],
    isCut: false,
    model: '',
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    windowTokens: 0,
  };
}
