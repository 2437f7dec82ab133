/** A text that is being written, with the secrets in it masked wherever it is cut. */
import fc from 'fast-check';
import { createStreamRedactor } from '../../../activities/tasks/stream-redaction';
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
  const veil = createStreamRedactor(values());
  expect(veil.add('Hi ')).toBe('Hi ');
  expect(veil.add('\ud83d')).toBe('');
  expect(veil.add('\udc1f!')).toBe('🐟!');
  expect(veil.add('a\0b')).toBe('ab');
  expect(veil.end()).toBe('');
});

test('however a text is cut, it is told masked, and whole', () => {
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
        const veil = createStreamRedactor(known);
        let told = '';
        for (let at = 0, cut = 0; at < text.length; cut += 1) {
          const size = cuts[cut % cuts.length]!;
          told += veil.add(text.slice(at, at + size));
          at += size;
        }
        told += veil.end();
        expect(told).toBe(known.redact(text));
      },
    ),
  );
});
