import { TaskImageSchema, type TaskImage } from '../../../contracts/tasks/task-image';
import type { MessageItem } from '../../../contracts/tasks/chat';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';
import { ClientError } from '../../../service/port/port';

/** The images of messages of a person. Throws for a part that no model would get: a recording, a file, an image without data. */
export function messageImages(items: readonly MessageItem[]): TaskImage[] {
  return items.flatMap(({ role, content: { type, data, mimeType } }) => {
    if (role !== 'user' || type === 'text' || type === 'function_response') return [];
    if (type !== 'image')
      throw new ClientError(
        'invalid',
        'SP001',
        `A message takes text and images, and this one is ${type}; say in words what it has.`,
      );
    const parsed = TaskImageSchema.safeParse({ mediaType: mimeType ?? 'image/png', data });
    if (parsed.success) return [parsed.data];
    throw new ClientError(
      'invalid',
      'SP001',
      `The image of the message can not be sent: ${issuesText(issuesOf(parsed.error))}`,
    );
  });
}
