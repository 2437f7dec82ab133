import fc from 'fast-check';
import { createSessionValues } from '../../activities/secrets/session-values';
import { EngineError } from '../../activities/activity/failures';
import type { VariableRow } from '../../store/sessions/variables';

type Variables = Readonly<Record<string, string>>;

function filled(text: string, variables: Variables): string | undefined {
  const rows = Object.entries(variables).map(([name, value]): VariableRow => ({
    name,
    value,
    env: null,
    previousValue: null,
    source: 'user_input',
    stepIndex: null,
    at: new Date(),
  }));
  return createSessionValues(rows, {}).fill({ text }).parameters.text;
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
  return undefined;
}

/** `v0` is `${v1}`, and so on; the last one is plain. */
function chain(length: number): Variables {
  const entries = Array.from({ length }, (_, index) => [
    `v${index}`,
    index === length - 1 ? 'the end' : `<\${v${index + 1}}>`,
  ]);
  return Object.fromEntries(entries) as Variables;
}

const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,6}$/).filter((text) => !(text in {}));
const plain = fc.string({ maxLength: 12 }).filter((text) => !text.includes('$') && !text.includes('}'));

test('a text without names stays as it is, whatever variables there are', () => {
  fc.assert(
    fc.property(plain, fc.dictionary(name, plain), (text, variables) => {
      expect(filled(text, variables)).toBe(text);
    }),
  );
});

test('every name that is known is replaced, wherever it stands, and every other stays as it is', () => {
  const piece = fc.oneof(
    plain.map((text) => ({ kind: 'text' as const, text })),
    name.map((text) => ({ kind: 'name' as const, text })),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.dictionary(name, plain), fc.nat(), (pieces, others, pick) => {
      const names = pieces.filter(({ kind }) => kind === 'name').map(({ text }) => text);
      const known = names.filter((_, index) => (index + pick) % 2 === 0);
      const variables = { ...others, ...Object.fromEntries(known.map((each, index) => [each, `value ${index}`])) };
      const text = pieces.map((each) => (each.kind === 'name' ? `\${${each.text}}` : each.text)).join('');
      const expected = pieces
        .map((each) =>
          each.kind === 'text'
            ? each.text
            : Object.hasOwn(variables, each.text)
              ? (variables as Variables)[each.text]
              : `\${${each.text}}`,
        )
        .join('');
      expect(filled(text, variables)).toBe(expected);
    }),
  );
});

test.each(['${}', '${1a}', '${-a}', '${a', '$a', '{a}', '${ a }', '${a b}', '${a.b}', '${ä}'])(
  '%s names no variable and stays as it is',
  (text) => {
    expect(filled(text, { a: 'x', '1a': 'x', '-a': 'x', ' a ': 'x', 'a b': 'x', 'a.b': 'x', ä: 'x', '': 'x' })).toBe(
      text,
    );
  },
);

test('a dash and digits may stand inside a name', () => {
  expect(filled('${user-name2} ${_a}', { 'user-name2': 'ada', _a: 'b' })).toBe('ada b');
});

test('names inside values are filled in to depth 10; one more is an error that names the variable', () => {
  for (let length = 1; length <= 10; length += 1) {
    const brackets = length - 1;
    expect(filled('${v0}', chain(length))).toBe(`${'<'.repeat(brackets)}the end${'>'.repeat(brackets)}`);
  }
  expect(codeOf(() => filled('${v0}', chain(11)))).toBe('SM002');
  expect(() => filled('${v0}', chain(11))).toThrow(/variable v10 refers to itself.*more than 10 deep/);
});

test('variables that lead back to themselves are an error, however long the way', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), plain, (length, around) => {
      const circle = Object.fromEntries(
        Array.from({ length }, (_, index) => [`v${index}`, `${around}\${v${(index + 1) % length}}`]),
      );
      expect(codeOf(() => filled('${v0}', circle))).toBe('SM002');
    }),
  );
});

test('what a replaced text says about replacing is no instruction', () => {
  for (const value of ['$&', '$1', '$$', '$`', "$'"]) expect(filled('a ${b} c', { b: value })).toBe(`a ${value} c`);
});

test('a session fills in its own variables and no other’s', () => {
  fc.assert(
    fc.property(name, plain, plain, (shared, one, other) => {
      expect(filled(`\${${shared}}`, { [shared]: one })).toBe(one);
      expect(filled(`\${${shared}}`, { [shared]: other })).toBe(other);
      expect(filled(`\${${shared}}`, {})).toBe(`\${${shared}}`);
    }),
  );
});

test('a value of the environment is taken as it is: names in it are not looked into', () => {
  const row: VariableRow = {
    name: 'password',
    value: null,
    env: 'SHOP_PASSWORD',
    previousValue: null,
    source: 'user_input',
    stepIndex: null,
    at: new Date(),
  };
  const values = createSessionValues([row, { ...row, name: 'user', value: 'ada', env: null }], {
    SHOP_PASSWORD: 'a${user}',
  });
  expect(values.fill({ text: '${password}' })).toEqual({
    parameters: { text: 'a${user}' },
    isSecret: true,
    secrets: [],
  });
});

test('a value that was read from a page is taken as it is: a page can not ask for another one by its name', () => {
  const row: VariableRow = {
    name: 'seen',
    value: '${user}',
    env: null,
    previousValue: null,
    source: 'extracted',
    stepIndex: 0,
    at: new Date(),
  };
  const values = createSessionValues([row, { ...row, name: 'user', value: 'ada', source: 'user_input' }], {});
  expect(values.fill({ text: '${seen}' }).parameters.text).toBe('${user}');
});
