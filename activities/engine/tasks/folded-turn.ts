import type { BrowserToolName } from '../../../contracts/tools/browser-tools';
import { oneLine } from '../../../contracts/text';
import type { ReplyMessage, ResultsMessage } from '../../../store/models/messages';

/** Tools whose results say in a line what was done, or show a page that was shown again since. */
const SAID_IN_A_LINE = new Set<string>([
  'navigate',
  'computer',
  'form_input',
  'tabs',
  'wait',
  'read_page',
] satisfies BrowserToolName[]);
const PAGE: BrowserToolName = 'read_page';
/** Beside the title of a page that a call led to. */
const ADDRESS = / \(https?:\/\/[^\s)]+\)(?=\.(?:\s|$))/g;
/** Longer results are more than what a call did. */
const LONGEST_LINE = 400;
/** What a model notes for itself in a turn. */
const LONGEST_WORDS = 1000;

/**
 * A turn of before the page was shown whole again, as a few lines: what the model said, and what became of each call. Undefined
 * for one with results that are not said so, which stays as it was.
 */
export function foldedTurn({ text, calls }: ReplyMessage, { results, notes }: ResultsMessage): string | undefined {
  const lines = calls.map(({ callId, name }) => {
    const result = results.find(({ end }) => end.callId === callId);
    if (result === undefined || result.pictures > 0 || !SAID_IN_A_LINE.has(name)) return undefined;
    if (name === PAGE) return 'Read the page.';
    return result.text.length > LONGEST_LINE ? undefined : oneLine(result.text.replaceAll(ADDRESS, ''), LONGEST_LINE);
  });
  if (lines.some((line) => line === undefined)) return undefined;
  const words = oneLine(text, LONGEST_WORDS);
  return `- ${[...(words === '' ? [] : [`You: ${words}`]), ...lines, ...notes.map((note) => oneLine(note, LONGEST_LINE))].join('\n  ')}`;
}
