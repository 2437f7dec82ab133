import type { LogRecord } from '../log';

/** Parts of the reply under way whose words came in fragments: the whole part, told after them, is not told again. */
export type StreamedParts = readonly number[];

export const NO_STREAMED_PARTS: StreamedParts = [];

export function nextStreamedParts(before: StreamedParts, { type, facts }: LogRecord): StreamedParts {
  if (facts?.kind === 'response.start') return NO_STREAMED_PARTS;
  if (type !== 'response.chunk.text.delta' || facts?.kind !== 'text' || before.includes(facts.chunkIdx)) return before;
  return [...before, facts.chunkIdx];
}

/**
 * What a reader of words is shown for a record: a fragment, or a whole part of which no fragments came. The reply of an
 * ACT-REFLECT call is JSON; its words for people are the message of its decision.
 */
export function textOf(before: StreamedParts, { type, data, facts }: LogRecord): string | undefined {
  if (facts?.kind === 'text') {
    const isNew = type === 'response.chunk.text.delta' || !before.includes(facts.chunkIdx);
    return isNew && facts.content !== '' ? facts.content : undefined;
  }
  const isActReflect = type === 'AI_RESPONSE_RECEIVED' && typeof data.details?.['decision'] === 'string';
  return isActReflect && data.message !== '' ? data.message : undefined;
}
