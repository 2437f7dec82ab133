import type { LogRecord } from '../log';

/** Indices of the parts of the current reply that were streamed in fragments: the complete part is not repeated. */
export type StreamedParts = readonly number[];

export const NO_STREAMED_PARTS: StreamedParts = [];

export function nextStreamedParts(before: StreamedParts, { type, facts }: LogRecord): StreamedParts {
  if (facts?.kind === 'response.start') return NO_STREAMED_PARTS;
  if (type !== 'response.chunk.text.delta' || facts?.kind !== 'text' || before.includes(facts.chunkIdx)) return before;
  return [...before, facts.chunkIdx];
}

/**
 * The text of a record for people: a fragment, or a complete part without fragments. The reply of an ACT-REFLECT call is
 * JSON, and its text for people is the message of its decision.
 */
export function textOf(before: StreamedParts, { type, data, facts }: LogRecord): string | undefined {
  if (facts?.kind === 'text') {
    const isNew = type === 'response.chunk.text.delta' || !before.includes(facts.chunkIdx);
    return isNew && facts.content !== '' ? facts.content : undefined;
  }
  const isActReflect = type === 'AI_RESPONSE_RECEIVED' && typeof data.details?.['decision'] === 'string';
  return isActReflect && data.message !== '' ? data.message : undefined;
}
