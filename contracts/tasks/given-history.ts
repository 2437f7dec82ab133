import { z } from 'zod';
import { issuesOf, issuesText } from '../errors/issues';
import { MessageItemSchema, type ContentPart, type MessageItem } from './chat';
import { MAX_IMAGES, TaskImageSchema, type TaskImage } from './task-image';

const MAX_MESSAGES = 1000;

/** What a model takes from each side; thoughts are kept, and no model gets those of another. */
const TYPES: Record<MessageItem['role'], readonly ContentPart['type'][]> = {
  user: ['text', 'image', 'function_response'],
  assistant: ['text', 'thinking', 'function_call'],
};

/** The member that a part of each type has. */
const MEMBERS = {
  text: 'text',
  thinking: 'thinking',
  function_call: 'functionCall',
  function_response: 'functionResponse',
} as const;

/** Messages before a task that its conversation does not have (S2.X). The model gets each as a turn of its role. */
export const GivenHistorySchema = z
  .array(MessageItemSchema)
  .max(MAX_MESSAGES, `a history has at most ${MAX_MESSAGES} messages; keep the newest`)
  .superRefine((items, context) => {
    const images = items.filter(isImage).length;
    if (images > MAX_IMAGES)
      context.addIssue({ code: 'custom', message: `a history has at most ${MAX_IMAGES} images, got ${images}` });
    const pairProblem = createPairCheck();
    for (const [index, { role, content }] of items.entries()) {
      const message = partProblem(role, content) ?? pairProblem(role, content);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [index], message });
    }
  });

export function isImage({ content }: MessageItem): boolean {
  return content.type === 'image';
}

/** The image of a part of that type, or why no model would read it. */
export function imageOf({ mimeType, data }: ContentPart): TaskImage | { problem: string } {
  const parsed = TaskImageSchema.safeParse({ mediaType: mimeType ?? 'image/png', data });
  return parsed.success ? parsed.data : { problem: `the image can't be sent: ${issuesText(issuesOf(parsed.error))}` };
}

/** Why a part can't be of a message of this role; undefined for one that can. */
export function partProblem(role: MessageItem['role'], part: ContentPart): string | undefined {
  const types = TYPES[role];
  if (!types.includes(part.type))
    return `a message of the ${role} takes ${types.join(', ')}, and this one is ${part.type}; say in words what it has`;
  if (part.type === 'image') {
    const image = imageOf(part);
    return 'problem' in image ? image.problem : undefined;
  }
  const member = MEMBERS[part.type as keyof typeof MEMBERS];
  return part[member] === undefined
    ? `a part of type ${part.type} has a member ${member}, and this one has none`
    : undefined;
}

/** Vendors refuse a response that does not follow its call at once, and a second call of one id. */
function createPairCheck(): (role: MessageItem['role'], part: ContentPart) => string | undefined {
  const called = new Set<string>();
  const open = new Set<string>();
  let before: ContentPart['type'] = 'text';
  return (role, { type, functionCall, functionResponse }) => {
    // Calls that were not answered until here have no response.
    if (type === 'text' || type === 'image' ? role === 'user' : before === 'function_response' && role === 'assistant')
      open.clear();
    before = type;
    if (functionResponse !== undefined && type === 'function_response') {
      const id = functionResponse.call_id;
      return open.delete(id)
        ? undefined
        : `it responds to a call ${id}, which the messages right before it do not make; put it after its call, once`;
    }
    if (functionCall === undefined || type !== 'function_call') return undefined;
    const id = functionCall.call_id;
    if (called.has(id)) return `there is a call ${id} before it; give each call an id of its own`;
    called.add(id);
    open.add(id);
    return undefined;
  };
}
