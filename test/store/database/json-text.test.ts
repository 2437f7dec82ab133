import fc from 'fast-check';
import { jsonText } from '../../../store/database/json-text';

test('halves of characters and null characters, which PostgreSQL refuses, are replaced and left out', () => {
  const value = { 'a\ud83d': ['\udc00 end', 'nul\0l', '😀', '\\ud83d', '\\\\u0000', 'a\nb', 'ü'] };
  expect(JSON.parse(jsonText(value))).toEqual({
    'a\ufffd': ['\ufffd end', 'null', '😀', '\\ud83d', '\\\\u0000', 'a\nb', 'ü'],
  });
  expect(jsonText(undefined)).toBe('null');
});

test('any other value is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const clean = text.replaceAll('\0', '').toWellFormed();
      expect(JSON.parse(jsonText({ text }))).toEqual({ text: clean });
    }),
  );
});
