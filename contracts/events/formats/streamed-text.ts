import type { LogRecord } from '../log';

/** The text of the current reply, as far as readers have it. */
export interface StreamedText {
  /** Indices of the parts that were streamed in fragments: the complete part is not repeated. */
  parts: readonly number[];
  /** What readers have. */
  shown: string;
  /** What the newest attempt at the reply has written. */
  written: string;
}

export const NO_TEXT: StreamedText = { parts: [], shown: '', written: '' };

/** A fragment for readers. `isRestart`: it voids those before it, and has the text of the reply from its beginning. */
export interface TextFragment {
  content: string;
  isRestart?: true;
}

/** For readers that append every fragment. */
const SEPARATOR = '\n\n';

/**
 * Adds a record to the text, with the fragment that it makes. A reader of the plain contract can't take back what an
 * attempt has streamed that then was lost. So of the next attempt nothing is repeated while it writes the same; where it
 * writes something else, its text comes once, behind an empty line.
 */
export function nextText(before: StreamedText, record: LogRecord): readonly [StreamedText, TextFragment | undefined] {
  const { type, data, facts } = record;
  if (facts?.kind === 'response.start')
    return [facts.isRestart === true ? { ...before, parts: [], written: '' } : NO_TEXT, undefined];
  // The reply of an ACT-REFLECT call is JSON, and its text for people is the message of its decision.
  if (type === 'AI_RESPONSE_RECEIVED' && typeof data.details?.['decision'] === 'string')
    return [NO_TEXT, data.message === undefined || data.message === '' ? undefined : { content: data.message }];
  if (facts?.kind === 'reply' && facts.end !== 'failed') return corrected(before, true);
  const isDelta = type === 'response.chunk.text.delta';
  if (facts?.kind !== 'text' || (!isDelta && before.parts.includes(facts.chunkIdx))) return [before, undefined];
  const parts = isDelta && !before.parts.includes(facts.chunkIdx) ? [...before.parts, facts.chunkIdx] : before.parts;
  return corrected({ ...before, parts, written: before.written + facts.content }, false);
}

function corrected(text: StreamedText, isWhole: boolean): readonly [StreamedText, TextFragment | undefined] {
  const { shown, written } = text;
  if (written === shown || (!isWhole && shown.startsWith(written))) return [text, undefined];
  const now = { ...text, shown: written };
  if (written.startsWith(shown)) return [now, { content: written.slice(shown.length) }];
  return [now, { content: written === '' ? '' : `${SEPARATOR}${written}`, isRestart: true }];
}
