import fc from 'fast-check';
import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { Redactor } from '../../../activities/secrets/redaction';
import { redactError } from '../../../activities/secrets/redact-error';
import { createSessionValues } from '../../../activities/secrets/session-values';
import { formsOf } from '../../support/secret-forms';

function redactionOf(...secrets: string[]): Redactor {
  const redaction = new Redactor();
  for (const secret of secrets) redaction.add(secret);
  return redaction;
}

const AWKWARD = [
  `s3cret <"word" & 'more'>/ü`,
  'tab\tand\nnewline',
  '100% +plus=eq?&#',
  '\\back\\slash"quote"',
  '😀 pass(word)*!~',
];
const secret = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text),
);

test('a secret is redacted in every usual encoding, anywhere in the text', () => {
  fc.assert(
    fc.property(secret, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (value, before, after) => {
      const redaction = redactionOf(value);
      for (const [form, encode] of Object.entries(formsOf)) {
        const redacted = redaction.redact(before + encode(value) + after);
        expect({ form, isMasked: redacted.includes(SECRET_MARK) }).toEqual({ form, isMasked: true });
        expect(redacted).not.toContain(encode(value));
      }
    }),
  );
});

test('base64 of a text with a secret is redacted at all three alignments, in both alphabets', () => {
  const value = AWKWARD[2]!;
  for (const before of ['', 'a', 'ab', 'abc:']) {
    const text = Buffer.from(`${before}${value}:more`);
    for (const encoded of [
      text.toString('base64'),
      text.toString('base64url'),
      encodeURIComponent(text.toString('base64')),
    ]) {
      expect(redactionOf(value).redact(`token=${encoded};`)).toMatch(/^token=.{0,8}\[secret\].{0,16};$/);
    }
  }
});

test('of two secrets with a common start, the longer one leaves no rest', () => {
  expect(redactionOf('hunter2', 'hunter2-and-more').redact('it is hunter2-and-more')).toBe(`it is ${SECRET_MARK}`);
});

test('a short secret is redacted only where it is the whole text', () => {
  const redaction = redactionOf('7%');
  expect([redaction.redact('7%'), redaction.redact('17% off')]).toEqual([SECRET_MARK, '17% off']);
});

test('a text without any secret stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('lovelace'));
      expect(redactionOf('lovelace-1815').redact(text)).toBe(text);
    }),
  );
});

test('the error of an activity contains no secret, also in its causes and after an abort', () => {
  const values = createSessionValues([], {});
  values.addSecret('correct horse');
  const aborted = AbortSignal.abort(new DOMException('stopped at correct horse', 'AbortError')).reason as Error;
  const thrown = new Error('typed correct horse', { cause: aborted });
  expect(redactError(thrown, values)).toBe(thrown);
  for (const each of [thrown, aborted]) expect(`${each.message} ${each.stack}`).not.toContain('correct horse');
  expect(aborted.message).toBe(`stopped at ${SECRET_MARK}`);
  const harmless = new DOMException('timed out', 'TimeoutError');
  expect(redactError(harmless, values)).toMatchObject({ name: 'TimeoutError', message: 'timed out' });
});
