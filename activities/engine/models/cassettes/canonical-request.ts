import { createHash } from 'node:crypto';
import type { GenerationRequest } from '../../../../contracts/model-port/language-model';

/** A request in which values that change with every run are placeholders. */
export interface CanonicalRequest {
  lines: string[];
  hash: string;
  /** Replaces this run's values by their placeholders. */
  toPlaceholders(text: string): string;
  /** Replaces placeholders by this run's values. A placeholder that the request does not contain stays. */
  toValues(text: string): string;
}

const FENCE = /<\w+ ([0-9a-f]{12})>\n/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** The local stack uses any free port. */
const LOOPBACK = /(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g;
/** The line that says which day it is, and where. */
const TODAY = /\bToday is \w+, \d{4}-\d\d-\d\d \([^)]*\)/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Converts a request to lines that can be compared between runs. Images are left out, because two screenshots of a page
 * differ. The fence's nonce, ids, local ports and times become numbered placeholders in the order of their occurrence.
 */
export function canonicalRequest(
  name: string,
  { system, messages, answer, temperature, maxTokens }: GenerationRequest,
): CanonicalRequest {
  const text = [
    `model: ${name}, temperature ${temperature}, at most ${maxTokens} tokens`,
    `answer: ${JSON.stringify(answer)}`,
    system,
    // All members, so that every difference is noticed; texts as lines.
    JSON.stringify(messages, withoutPictures, 1).replaceAll('\\n', '\n'),
  ].join('\n');
  const pairs = placeholders(text);
  const toPlaceholders = (content: string): string =>
    pairs.reduce((changed, { value, placeholder }) => changed.replaceAll(value, placeholder), content);
  const toValues = (content: string): string =>
    pairs.reduce((changed, { value, placeholder }) => changed.replaceAll(placeholder, value), content);
  const canonical = toPlaceholders(text);
  const hash = createHash('sha256').update(canonical).digest('hex').slice(0, 24);
  return { lines: canonical.split('\n'), hash, toPlaceholders, toValues };
}

function withoutPictures(key: string, value: unknown): unknown {
  return key === 'base64' ? '' : value;
}

function placeholders(text: string): { value: string; placeholder: string }[] {
  const nonce = FENCE.exec(text)?.[1];
  const found = (pattern: RegExp, kind: string) =>
    [...new Set([...text.matchAll(pattern)].map(([value]) => value))].map((value, index) => ({
      value,
      placeholder: `{{${kind} ${index + 1}}}`,
    }));
  return [
    ...(nonce === undefined ? [] : [{ value: nonce, placeholder: '{{nonce}}' }]),
    ...found(UUID, 'id'),
    // The longest first, because one port may begin with another.
    ...found(LOOPBACK, 'address').sort((one, other) => other.value.length - one.value.length),
    ...found(TIME, 'time'),
    ...found(TODAY, 'today'),
  ];
}
