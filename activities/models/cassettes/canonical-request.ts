import { createHash } from 'node:crypto';
import type { GenerationRequest } from '../language-model';

/** A question as a recording knows it: without what is new in every run, and the way back to this run's own values. */
export interface CanonicalRequest {
  lines: string[];
  hash: string;
  /** This run's values become their placeholders. */
  toPlaceholders(text: string): string;
  /** Placeholders become this run's values; one that the question does not have stays. */
  toValues(text: string): string;
}

const FENCE = /<\w+ ([0-9a-f]{12})>\n/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** The local stack takes any port that is free. */
const LOOPBACK = /(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * What is asked, as lines that can be compared. Pictures are left out: two of one page are never quite the same. The
 * mark of the fences, ids, ports of this machine and times are numbered in the order in which they come.
 */
export function canonicalRequest(
  name: string,
  { system, messages, answer, temperature, maxTokens }: GenerationRequest,
): CanonicalRequest {
  const text = [
    `model: ${name}, temperature ${temperature}, at most ${maxTokens} tokens`,
    `answer: ${JSON.stringify(answer)}`,
    system,
    // Whole, so that nothing that is sent can differ unnoticed; its texts as lines.
    JSON.stringify(messages, withoutPictures, 1).replaceAll('\\n', '\n'),
  ].join('\n');
  const pairs = placeholders(text);
  const toPlaceholders = (given: string): string =>
    pairs.reduce((changed, { value, placeholder }) => changed.replaceAll(value, placeholder), given);
  const toValues = (given: string): string =>
    pairs.reduce((changed, { value, placeholder }) => changed.replaceAll(placeholder, value), given);
  const canonical = toPlaceholders(text);
  const hash = createHash('sha256').update(canonical).digest('hex').slice(0, 24);
  return { lines: canonical.split('\n'), hash, toPlaceholders, toValues };
}

function withoutPictures(key: string, value: unknown): unknown {
  return key === 'base64' ? '' : value;
}

function placeholders(text: string): { value: string; placeholder: string }[] {
  const mark = FENCE.exec(text)?.[1];
  const found = (pattern: RegExp, kind: string) =>
    [...new Set([...text.matchAll(pattern)].map(([value]) => value))].map((value, index) => ({
      value,
      placeholder: `{{${kind} ${index + 1}}}`,
    }));
  return [
    ...(mark === undefined ? [] : [{ value: mark, placeholder: '{{mark}}' }]),
    ...found(UUID, 'id'),
    // The longest first: one port may begin with another.
    ...found(LOOPBACK, 'address').sort((one, other) => other.value.length - one.value.length),
    ...found(TIME, 'time'),
  ];
}
