import { toCommandText } from '../../contracts/commands/command-text';
import type { JournalEntry } from '../journal/journal';

/** The first of them say enough; `surefoot show` has them all. */
const MOST_NAMED = 5;

/**
 * What to do about a session that nobody continues, where it has done something that is not taken back: undefined where a
 * second session would repeat nothing.
 */
export function adviceAfter(sessionId: string, journal: readonly JournalEntry[]): string | undefined {
  const commits = commitsOf(journal);
  if (commits === undefined) return undefined;
  const next = Math.max(...[...doneIn(journal), ...openIn(journal)].map(({ stepIndex }) => stepIndex)) + 2;
  return [
    commits,
    'A session that is started again would do all of it a second time.',
    `\`npx surefoot fork ${sessionId} --from-step ${next}\` goes on after the step that did the last of it; \`npx surefoot show ${sessionId}\` lists everything.`,
  ].join(' ');
}

/** What of these commands is not taken back, in sentences; undefined where nothing is. */
export function commitsOf(journal: readonly JournalEntry[]): string | undefined {
  const [done, open] = [doneIn(journal), openIn(journal)];
  const sentences = [
    done.length === 0 ? '' : `It had done ${named(done)}.`,
    open.length === 0 ? '' : `Of ${named(open)} nobody knows whether it happened: look for it first.`,
  ].filter((sentence) => sentence !== '');
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function doneIn(journal: readonly JournalEntry[]): JournalEntry[] {
  return journal.filter(({ effect, status }) => effect === 'commit' && status === 'done');
}

function openIn(journal: readonly JournalEntry[]): JournalEntry[] {
  const isOpen = ({ status }: JournalEntry): boolean => status === 'unknown' || status === 'intended';
  return journal.filter((entry) => (entry.effect === 'commit' || entry.status === 'unknown') && isOpen(entry));
}

function named(entries: readonly JournalEntry[]): string {
  const names = entries.slice(-MOST_NAMED).map((entry) => `${toCommandText(entry)} (step ${entry.stepIndex + 1})`);
  const count = `${entries.length} ${entries.length === 1 ? 'command that is' : 'commands that are'} not taken back`;
  const more = entries.length > names.length ? `, the last of them ` : ': ';
  return `${count}${more}${names.join(', ')}`;
}
