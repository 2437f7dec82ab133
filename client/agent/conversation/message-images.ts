import { GivenHistorySchema, imageOf, partProblem } from '../../../contracts/tasks/given-history';
import type { MessageItem } from '../../../contracts/tasks/chat';
import type { TaskImage } from '../../../contracts/tasks/task-image';
import { inputIssues, issuesText } from '../../../contracts/errors/issues';
import { ClientError } from '../../../service/port/port';

/** The images of a person's message. Throws for a part that no model would get: a recording, a file, an image without data. */
export function messageImages({ content }: MessageItem): TaskImage[] {
  const image = content.type === 'image' ? imageOf(content) : undefined;
  const problem = image !== undefined && 'problem' in image ? image.problem : partProblem('user', content);
  if (problem !== undefined) throw new ClientError('invalid', 'SP001', `The message can't be sent: ${problem}.`);
  return image === undefined || 'problem' in image ? [] : [image];
}

/** Throws for messages that no model would get as its conversation. */
export function assertHistory(items: readonly MessageItem[]): void {
  const [issue] = inputIssues(GivenHistorySchema, items);
  if (issue !== undefined)
    throw new ClientError('invalid', 'SP001', `The history can't be used: ${issuesText([issue])}.`);
}
