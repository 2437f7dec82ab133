import type { JsonSchema } from '../../contracts/results/result-request';

/** A variant: a schema, and a value that is made to be slow or wrong by it. */
export interface Attack {
  kind: string;
  schema: JsonSchema;
  value: unknown;
  expected?: 'valid' | 'invalid' | 'refused';
}

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(33);
const upTo = (most: number): number => Math.floor(random() * most);
const pick = <T>(of: readonly T[]): T => of[upTo(of.length)]!;
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const text = (schema: object): JsonSchema => ({ type: 'object', properties: { x: { type: 'string', ...schema } } });
const nested = (depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema =>
  times(depth, () => 0).reduce<JsonSchema>((inner) => wrap(inner), { type: 'string' });

const ATOMS = ['a', '[a-z]', String.raw`\w`, '.', '(?:a|aa)', '(?:a|a?)', '[^b]', '(?:a*)', '(?:a+b?)'];
const REPEATS = ['*', '+', '{1,}', '{0,9}', '*?', '+?', '{2,40}'];

/** Quantifiers within quantifiers, which a backtracking engine tries in exponentially many ways. */
function slowPattern(): Attack {
  const inner = times(1 + upTo(3), () => `${pick(ATOMS)}${pick(REPEATS)}`).join('');
  const pattern = `^(?:(${inner})${pick(REPEATS)}${pick(ATOMS)}${pick(['*', '+', ''])})+$`;
  return { kind: 'pattern', schema: text({ pattern }), value: { x: `${'a'.repeat(50 + upTo(20_000))}!\n` } };
}

function refusedPattern(): Attack {
  const part = pick([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!ab)',
    String.raw`(b)\1`,
    String.raw`(?<n>b)\k<n>`,
    'b{5000}',
    '(?i:b)',
  ]);
  const pattern = `${pick(['', '^', '(?:c|'])}${part}`;
  const whole = pattern.startsWith('(?:c|') ? `${pattern})` : pattern;
  const schema = pick<JsonSchema>([
    text({ pattern: whole }),
    { type: 'object', patternProperties: { [whole]: { type: 'string' } } },
    { type: 'array', items: { anyOf: [{ type: 'null' }, { type: 'string', pattern: whole }] } },
  ]);
  return { kind: 'refused pattern', schema, value: {}, expected: 'refused' };
}

function references(): Attack {
  const to = pick(['#', '#/$defs/a', '#/$defs/none', 'https://evil.test/schema.json', 'file:///etc/passwd', '#x', '']);
  const links = pick<JsonSchema>([
    { $ref: to },
    { allOf: [{ $ref: to }, { $ref: to }, { $ref: to }] },
    { type: 'object', properties: { a: { $ref: to }, b: { $ref: to } } },
    { $dynamicRef: to },
  ]);
  return {
    kind: 'references',
    schema: { type: 'object', properties: { x: links }, $defs: { a: links } },
    value: { x: { a: { a: {} } } },
  };
}

/** Each link leads to the next several times: 2 to the power of the length in all. */
function chain(length: number, by: 'allOf' | 'anyOf' | 'properties'): Attack {
  const link = (at: number): JsonSchema => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return by === 'properties' ? { type: 'object', properties: { l: next, r: next, m: next } } : { [by]: [next, next] };
  };
  const $defs = Object.fromEntries(times(length, (at) => [`d${at}`, link(at)]));
  const end = { [`d${length}`]: by === 'anyOf' ? { type: 'number' } : { type: 'string' } };
  return {
    kind: `chain of ${by}`,
    schema: { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs: { ...$defs, ...end } },
    value: { x: by === 'properties' ? { l: { m: { r: {} } } } : 'text' },
  };
}

function depth(): Attack {
  const levels = pick([3, 20, 50, 100, 500, 3000]);
  const inner = pick([
    (each: JsonSchema) => ({ type: 'array', items: each }),
    (each: JsonSchema) => ({ type: 'object', properties: { x: each } }),
    (each: JsonSchema) => ({ allOf: [each] }),
    (each: JsonSchema) => ({ not: each }),
  ]);
  const value = times(pick([2, 40, 20_000]), () => 0).reduce<unknown>((each) => ({ x: each }), 1);
  return { kind: 'depth', schema: { type: 'object', properties: { x: nested(levels, inner) } }, value };
}

export const NAMES = [
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__proto__',
  '__defineGetter__',
  'then',
  'length',
];

/** A member called like what every object inherits: one that the value does not have itself is missing. */
function name(): Attack {
  const own = pick(NAMES);
  const properties = Object.fromEntries([[own, { type: 'object', properties: { polluted: { type: 'string' } } }]]);
  const has = random() < 0.5;
  const value: unknown = JSON.parse(has ? `{"${own}":{"polluted":"yes"}}` : '{}');
  return {
    kind: `name ${own}`,
    schema: { type: 'object', properties, required: [own], additionalProperties: false },
    value,
    expected: own === '__proto__' ? 'refused' : has ? 'valid' : 'invalid',
  };
}

function size(): Attack {
  const many = 200 + upTo(2000);
  return pick<() => Attack>([
    () => ({
      kind: 'enum',
      schema: text({ enum: times(many, (at) => `v${at}`) }),
      value: { x: 'none' },
      expected: 'invalid',
    }),
    () => ({
      kind: 'properties',
      schema: { type: 'object', properties: Object.fromEntries(times(many, (at) => [`p${at}`, { type: 'string' }])) },
      value: Object.fromEntries(times(many, (at) => [`p${at}`, 1])),
    }),
    () => ({
      kind: 'values',
      schema: { type: 'object', const: times(20_000, (at) => at) },
      value: {},
      expected: 'refused',
    }),
    () => ({
      kind: 'long name',
      schema: { type: 'object', properties: { ['n'.repeat(5000)]: {} } },
      value: {},
      expected: 'refused',
    }),
    () => ({
      kind: 'long pattern',
      schema: text({ pattern: '(a|b)'.repeat(900) }),
      value: { x: 'a' },
      expected: 'refused',
    }),
    () => ({
      kind: 'number',
      schema: JSON.parse('{"type":"object","properties":{"x":{"maximum":1e400}}}') as JsonSchema,
      value: { x: 1 },
      expected: 'refused',
    }),
    () => ({
      kind: 'number',
      schema: { type: 'object', properties: { x: { type: 'number' } } },
      value: JSON.parse('{"x":1e999}'),
      expected: 'invalid',
    }),
    () => ({
      kind: 'divisor',
      schema: { type: 'object', properties: { x: { multipleOf: 1e-300 } } },
      value: { x: 1e300 },
    }),
  ])();
}

function comparisons(): Attack {
  const items = times(5000 + upTo(5000), (at) => ({ at, [`k${at % 7}`]: { deep: [at] } }));
  return pick<Attack>([
    { kind: 'uniqueItems', schema: { type: 'array', uniqueItems: true }, value: items, expected: 'valid' },
    {
      kind: 'uniqueItems',
      schema: { type: 'array', uniqueItems: true },
      value: [...items, items[0]],
      expected: 'invalid',
    },
    {
      kind: 'contains',
      schema: { type: 'array', contains: { enum: times(500, (at) => ({ at: -at })) } },
      value: items.slice(0, 2000),
    },
    {
      kind: 'format',
      schema: text({ format: pick(['url', 'uri', 'email', 'hostname', 'regex', 'date-time', 'ipv6']) }),
      value: { x: `http://${'a.'.repeat(50_000)}!` },
      expected: 'invalid',
    },
  ]);
}

function identities(): Attack {
  const $id = pick([
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
    'a',
    '#a',
    'https://other.test/x',
  ]);
  const other = pick<JsonSchema>([{ $id, type: 'number' }, { $anchor: 'a', type: 'number' }, { $dynamicAnchor: 'a' }]);
  return {
    kind: 'identities',
    schema: {
      type: 'object',
      ...(random() < 0.5 ? { $id } : {}),
      properties: { x: { $ref: pick([$id, '#a', 'https://other.test/x']) } },
      $defs: { one: other, two: random() < 0.3 ? other : {} },
    },
    value: { x: 1 },
  };
}

export const ATTACKS: Attack[] = [
  ...times(60, slowPattern),
  ...times(40, refusedPattern),
  ...times(30, references),
  ...[4, 8, 12, 40].flatMap((length) => (['allOf', 'anyOf', 'properties'] as const).map((by) => chain(length, by))),
  ...times(20, depth),
  ...times(40, name),
  ...times(24, size),
  ...times(12, comparisons),
  ...times(24, identities),
];
