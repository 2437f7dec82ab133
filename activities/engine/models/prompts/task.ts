import { todayText } from './decision';
import type { ResultRequest } from '../../../../contracts/results/result-request';
import type { Step } from '../../../../contracts/sessions/step-input';

/** The first message of a task. `isOpened`: its address is opened for the model. */
export function taskText(
  { instruction, task }: Pick<Step, 'instruction' | 'task'>,
  names: readonly string[],
  { isOpened = false, now = new Date() }: { isOpened?: boolean | undefined; now?: Date } = {},
): string {
  const parts = [
    goalText({ instruction, task: isOpened ? { ...task, url: undefined } : task }),
    todayText(now),
    ...(names.length === 0 ? [] : [`Variables: ${names.map((name) => `\${${name}}`).join(', ')}`]),
  ];
  return parts.join('\n\n');
}

/** What a task asks for, whenever it is asked. */
export function goalText({ instruction, task = {} }: Pick<Step, 'instruction' | 'task'>): string {
  const { url, context, result } = task;
  const parts = [
    url === undefined ? instruction : `Navigate to ${url} first. Then: ${instruction}`,
    ...(context === undefined || context.trim() === '' ? [] : [`<context>\n${context}\n</context>`]),
    ...(result === undefined ? [] : [resultText(result)]),
  ];
  return parts.join('\n\n');
}

/** What the task is to return, and how a model that leads it gets that without writing a value. */
function resultText({ schema, pages }: ResultRequest): string {
  const limit =
    pages === undefined
      ? 'of a list on all of its pages'
      : `of a list on ${pages === 1 ? 'one page' : `${pages} pages at most`}`;
  return `# What to return
Data of the pages, in the shape of this JSON schema:
${JSON.stringify(schema)}
You write none of its values: the engine reads them. Call extract without fields on each page that has some of them, ${limit}; it says
what it has read and kept, and what it did not find. What it did not find, or read wrongly, choose by refs: call extract
with values, each a member and the ref of the element that has it; of a list those of one row, and the rows like it are
read the same way. A link or an id is an attribute of an element: format uri takes the address of a link or picture by
itself, attribute names another one. What no page has stays out: say so when you call done.`;
}

const LAST_TURN_NOTE = 'This is your last turn. Call done, and say what was done and what you have found.';

/** At these numbers of turns that are left, the one of the results included, a model is reminded of them. */
const REMINDERS: readonly number[] = [10, 5, 3];

export function turnsLeftNotes(left: number): string[] {
  if (left === 1) return [LAST_TURN_NOTE];
  return REMINDERS.includes(left) ? [`You have ${left} turns left.`] : [];
}
