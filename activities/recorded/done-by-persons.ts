import { COMMANDS } from '../../contracts/commands/commands';
import type { JournalEntry } from '../../store/journal/journal';
import type { Store } from '../../store/store';

/** A model is given as many lines at most; of a longer takeover the newest. */
const MOST_LINES = 40;

/** Says what persons who took the browser over have done during a step, oldest first: a sentence for each thing. */
export async function doneByPersons(
  store: Pick<Store, 'journal'>,
  sessionId: string,
  stepIndex: number,
): Promise<string[]> {
  const entries = await store.journal.ofPersons(sessionId, stepIndex);
  return entries.slice(-MOST_LINES).map(sentenceOf);
}

/** The same of what was done since the session's own newest command of the step, for a conversation that goes on. */
export async function doneByPersonsSince(
  store: Pick<Store, 'journal'>,
  sessionId: string,
  stepIndex: number,
): Promise<string[]> {
  const entries = await store.journal.ofPersons(sessionId, stepIndex);
  if (entries.length === 0) return [];
  const own = (await store.journal.ofStep(sessionId, stepIndex)).map(({ intendedAt }) => intendedAt.getTime());
  const since = Math.max(0, ...own);
  const acts = entries.filter(({ intendedAt }) => intendedAt.getTime() > since).slice(-MOST_LINES);
  return acts.length === 0 ? [] : [`A person has taken the browser over since: ${acts.map(sentenceOf).join('; ')}.`];
}

function sentenceOf({ action, parameters, target, status }: JournalEntry): string {
  const element = target === undefined ? '' : `the ${String(target['role'])} “${String(target['name'])}”`;
  const { done } = COMMANDS[action] as { done?: (parameters: object, element: string) => string };
  const said = done?.(parameters, element) ?? action;
  const where = action === 'TYPE_TEXT' && element !== '' ? ` into ${element}` : '';
  const doubt = {
    done: '',
    failed: ', which failed',
    intended: ', which may have happened',
    unknown: ', which may have happened',
  };
  return `${said}${where}${doubt[status]}`;
}
