import { todayText } from '../../models/prompts/decision';
import type { Step } from '../../../contracts/sessions/start-request';

/** The first message of a task. */
export function taskText(
  { instruction, task = {} }: Pick<Step, 'instruction' | 'task'>,
  names: readonly string[],
  now = new Date(),
): string {
  const { url, context } = task;
  const parts = [
    url === undefined ? instruction : `Navigate to ${url} first. Then: ${instruction}`,
    ...(context === undefined || context.trim() === '' ? [] : [`<context>\n${context}\n</context>`]),
    todayText(now),
    ...(names.length === 0 ? [] : [`Variables: ${names.map((name) => `\${${name}}`).join(', ')}`]),
  ];
  return parts.join('\n\n');
}

export const LAST_TURN_NOTE = 'This is your last turn. Call done, and say what was done and what you have found.';
