/** A text that is being written, with the secrets in it masked wherever it is cut. */
import fc from 'fast-check';
import { createStreamRedactor } from '../../../activities/engine/tasks/stream-redaction';
import { createSessionValues } from '../../../activities/secrets/session-values';

function values(...secrets: string[]) {
  const rows = secrets.map((value, index) => ({
    alias: `s${index}`,
    origins: [],
    source: { kind: 'value' as const, value },
  }));
  return createSessionValues([], {}, rows);
}

test('without secrets every word goes through at once, whole characters only', () => {
  const redactor = createStreamRedactor(values());
  expect(redactor.add('Hi ')).toBe('Hi ');
  expect(redactor.add('\ud83d')).toBe('');
  expect(redactor.add('\udc1f!')).toBe('🐟!');
  expect(redactor.add('a\0b')).toBe('ab');
  expect(redactor.end()).toBe('');
});

test('however a text is cut, it is published redacted, and whole', () => {
  const secret = 'pass word+7';
  const piece = fc.constantFrom(
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    'pass',
    ' and ',
    'x'.repeat(200),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (pieces, cuts) => {
        const known = values(secret, 'tiger');
        const text = pieces.join('-');
        const redactor = createStreamRedactor(known);
        let published = '';
        for (let at = 0, cut = 0; at < text.length; cut += 1) {
          const size = cuts[cut % cuts.length]!;
          published += redactor.add(text.slice(at, at + size));
          at += size;
        }
        published += redactor.end();
        expect(published).toBe(known.redact(text));
      },
    ),
  );
});
