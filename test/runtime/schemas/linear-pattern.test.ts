/** Patterns of callers in linear time: what they match, and what is refused with which words. */
import { toLinearPattern } from '../../../runtime/schemas/linear-pattern';
import { z } from 'zod';

const TEXTS = [
  '',
  'a',
  'aaa',
  'foo bar',
  'A',
  '12-34',
  'é',
  '日本',
  '\u00A0',
  ' ',
  '\n',
  'a\nb',
  'x-y_z',
  '😀',
  'a.b',
  '[x]',
  '{',
  '\u2028',
  'ΑΒΓ',
  '\uFEFF',
  '\\',
  '/',
  '^$',
  'ab12',
  '\t',
  '\u0000',
  'İ',
  '١٢',
];

test('a pattern matches the same texts as JavaScript matches by it', () => {
  const patterns = [
    String.raw`^\d+$`,
    String.raw`^\p{L}+$`,
    String.raw`\u{1F600}`,
    '[^]',
    '[]',
    String.raw`\/`,
    String.raw`[\w-]`,
    '$',
    String.raw`^\p{Script=Greek}+$`,
    String.raw`\b\w+\b`,
    String.raw`[\b]`,
    String.raw`^\s$`,
    '^.$',
    'a|b|',

    String.raw`[\S]`,
    String.raw`^[^\S]$`,
    String.raw`^\P{L}$`,
    '(?:ab)?c*?',
    String.raw`[\]x]`,
    '[[]',
    '[&&]',
    '[-a]',

    String.raw`^\D+$`,
    String.raw`\0`,
    '^(a+)+$',
    '(?<year>1)',
    '^a{2,3}?',
    String.raw`^\W$`,
    String.raw`\cI`,
    '[^^$]',
  ];
  for (const pattern of patterns) {
    const linear = toLinearPattern(pattern);
    const own = new RegExp(pattern, 'u');
    for (const text of TEXTS) expect([pattern, text, linear.test(text)]).toEqual([pattern, text, own.test(text)]);
  }
});

test('what can not be matched in linear time is refused with its place and what to write instead', () => {
  const refusalOf = (pattern: string): string => {
    try {
      toLinearPattern(pattern);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusalOf('a(?!foo)')).toBe(
    '“(?!foo)” at character 2 of the pattern is a look-ahead, which can\'t be matched in linear time; write what must not occur as a schema of its own: "not": { "pattern": … }',
  );
  expect(refusalOf('(?=a)b')).toContain('each condition as a pattern of its own, together under allOf');
  expect(refusalOf('(?<=a)b')).toContain('is a look-behind');
  expect(refusalOf(String.raw`(a)\1`)).toContain('is a back-reference');
  expect(refusalOf(String.raw`(?<n>x)\k<n>`)).toContain(String.raw`“\k<n>” at character 8`);
  expect(refusalOf(String.raw`\p{ID_Start}`)).toContain('this Unicode property');
  expect(refusalOf('(?i:a)')).toContain('flags within a pattern');
  expect(refusalOf('x{2000}')).toContain('limit lengths by maxLength');
  expect(refusalOf('(((a{1,9}){1,9}){1,9}){1,9}')).toMatch(/repeats|linear time/);
  expect(refusalOf('a'.repeat(1001))).toContain('at most 1000 characters, got 1001');
  expect(refusalOf('[a')).toContain('expected a regular expression of JavaScript');
});

test('what zod writes for its own formats is taken, although some of it looks around', () => {
  const { pattern } = z.toJSONSchema(z.iso.duration()) as { pattern: string };
  expect(pattern).toContain('(?!');
  expect(toLinearPattern(pattern).test('P3DT4H')).toBe(true);
  expect(toLinearPattern(pattern).test('P')).toBe(false);
});
