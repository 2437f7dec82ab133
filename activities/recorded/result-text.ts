import type { StandardError } from '../../contracts/errors/standard-error';
import { MAX_OUTPUT } from '../../contracts/commands/definitions/members';
import { fitted } from '../../contracts/text';

const LONGEST_SUMMARY = 200;

/** Truncates an output to the characters that are stored. */
export function truncateOutput(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  const note = `\n… (${text.length - MAX_OUTPUT} of ${text.length} characters are left out)`;
  return text.slice(0, MAX_OUTPUT - note.length) + note;
}

/** S0.A7: the result of a failed call for the model. */
export function toErrorText({ message, suggestedAction }: Pick<StandardError, 'message' | 'suggestedAction'>): string {
  return `Error: ${[message, suggestedAction ?? ''].filter((part) => part !== '').join(' ')}`;
}

/** The first line that is not blank, truncated. */
export function summaryOf(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return fitted(line.trim(), LONGEST_SUMMARY);
}
