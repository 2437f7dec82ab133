import { TEXT_LIST } from './members';
import {
  arrayOf,
  eitherOf,
  isPrimitive,
  itemOf,
  NOTHING,
  NUMBER,
  TEXT,
  TRUTH,
  UNKNOWN,
  type Kind,
  type ValueType,
} from './value-types';

/** How a method that has no effect is called. */
export interface Method {
  gives: (object: ValueType, body: ValueType, args: readonly ValueType[]) => ValueType;
  /** What the callback, its first argument, is given; absent where the method takes none. */
  callback?: (object: ValueType, args: readonly ValueType[]) => ValueType[];
  takes?: (args: readonly ValueType[]) => boolean;
  /** What the callback gives is its first parameter the next time. */
  isFold?: true;
}
type Methods = Record<string, Method>;

const ITEM = (list: ValueType): ValueType => itemOf(list) ?? UNKNOWN;
const primitives = (args: readonly ValueType[]): boolean =>
  args.every((each) => isPrimitive(each) || each.is === 'regexp');
/** A function in the place of a replacement would be called with each match. */
const isReplacement = ([, by]: readonly ValueType[]): boolean => by?.is === 'string';

/** Only arrays are flattened into others: a list of elements stays one. */
const flattened = (type: ValueType): ValueType => (type.is === 'array' ? type.item : type);

function plain(type: ValueType, names: string, takes?: Method['takes']): [string, Method][] {
  return names.split(' ').map((name) => [name, { gives: () => type, ...(takes === undefined ? {} : { takes }) }]);
}

function calling(names: string, gives: Method['gives']): [string, Method][] {
  return names
    .split(' ')
    .map((name) => [name, { gives, callback: (list) => [ITEM(list), NUMBER, list] } satisfies Method]);
}

const FINDING: [string, Method][] = [
  ...plain({ is: 'element' }, 'querySelector closest', primitives),
  ...plain({ is: 'elements' }, 'querySelectorAll getElementsByTagName getElementsByClassName', primitives),
];
const LIST: [string, Method][] = [...calling('forEach', () => NOTHING), ['item', { gives: ITEM, takes: primitives }]];

/** The methods that a script may call on each kind of value. */
export const METHODS: Partial<Record<Kind, Methods>> = {
  document: Object.fromEntries([
    ...FINDING,
    ...plain({ is: 'element' }, 'getElementById elementFromPoint', primitives),
    ...plain({ is: 'elements' }, 'getElementsByName elementsFromPoint', primitives),
    ...plain(TRUTH, 'hasFocus contains'),
  ]),
  window: Object.fromEntries(plain({ is: 'style' }, 'getComputedStyle')),
  location: Object.fromEntries(plain(TEXT, 'toString', (args) => args.length === 0)),
  element: Object.fromEntries([
    ...FINDING,
    ...plain(TRUTH, 'matches contains hasAttribute hasAttributes hasChildNodes checkVisibility isSameNode isEqualNode'),
    ...plain(TEXT, 'getAttribute', primitives),
    ...plain(TEXT_LIST, 'getAttributeNames'),
    ...plain({ is: 'rectangle' }, 'getBoundingClientRect'),
  ]),
  elements: Object.fromEntries(LIST),
  attributes: Object.fromEntries(LIST),
  tokens: Object.fromEntries([...LIST, ...plain(TRUTH, 'contains', primitives)]),
  style: Object.fromEntries(plain(TEXT, 'getPropertyValue', primitives)),
  string: Object.fromEntries([
    ...plain(
      TEXT,
      'at charAt concat padEnd padStart slice substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd trimStart',
      primitives,
    ),
    ...plain(NUMBER, 'charCodeAt codePointAt indexOf lastIndexOf localeCompare search', primitives),
    ...plain(TRUTH, 'endsWith includes startsWith', primitives),
    ...plain(TEXT_LIST, 'split match', primitives),
    ...plain(arrayOf(TEXT_LIST), 'matchAll', primitives),
    ...plain(TEXT, 'replace replaceAll', (args) => primitives(args) && isReplacement(args)),
  ]),
  number: Object.fromEntries(plain(TEXT, 'toFixed toPrecision toString toLocaleString', primitives)),
  boolean: Object.fromEntries(plain(TEXT, 'toString')),
  regexp: Object.fromEntries([...plain(TRUTH, 'test', primitives), ...plain(TEXT_LIST, 'exec', primitives)]),
  array: Object.fromEntries([
    ...calling('map', (_, body) => arrayOf(body)),
    ...calling('flatMap', (_, body) => arrayOf(flattened(body))),
    ...calling('filter', (list) => list),
    ...calling('find findLast', ITEM),
    ...calling('some every', () => TRUTH),
    ...calling('findIndex findLastIndex', () => NUMBER),
    ...calling('forEach', () => NOTHING),
    ...['reduce', 'reduceRight'].map((name): [string, Method] => [
      name,
      {
        isFold: true,
        gives: (_, body) => body,
        // Without a first value the first item is one.
        callback: (list, args) => [args[0] ?? ITEM(list), ITEM(list), NUMBER, list],
      },
    ]),
    ...['sort', 'toSorted'].map((name): [string, Method] => [
      name,
      { gives: (list) => list, callback: (list) => [ITEM(list), ITEM(list)] },
    ]),
    ...['slice', 'reverse', 'toReversed'].map((name): [string, Method] => [name, { gives: (list) => list }]),
    ['concat', { gives: (list, _, args) => arrayOf([list, ...args].map(flattened).reduce(eitherOf)) }],
    ['flat', { gives: (list) => arrayOf(flattened(ITEM(list))), takes: primitives }],
    ['at', { gives: ITEM, takes: primitives }],
    ...plain(TEXT, 'join', primitives),
    ...plain(TRUTH, 'includes'),
    ...plain(NUMBER, 'indexOf lastIndexOf'),
  ]),
};

/** Methods of objects of the language, by `Object.method`. */
export const STATIC_METHODS: Methods = Object.fromEntries([
  ...plain(
    NUMBER,
    'Math.abs Math.ceil Math.floor Math.round Math.trunc Math.max Math.min Math.sign Math.sqrt Math.pow Number.parseInt Number.parseFloat Date.now performance.now',
    primitives,
  ),
  ...plain(TRUTH, 'Number.isInteger Number.isNaN Number.isFinite Array.isArray'),
  ...plain(TEXT, 'JSON.stringify', ([, replacer, space]) =>
    [replacer, space].every((each) => each === undefined || isPrimitive(each)),
  ),
  ...plain(TEXT, 'String.fromCharCode String.fromCodePoint', primitives),
  ...plain(UNKNOWN, 'JSON.parse', primitives),
  ...plain(TEXT_LIST, 'Object.keys'),
  ...plain(arrayOf(UNKNOWN), 'Object.values'),
  ...plain(arrayOf(arrayOf(UNKNOWN)), 'Object.entries'),
]);

/** Functions of the language, by their names. */
export const FUNCTIONS: Methods = Object.fromEntries([
  ...plain(TEXT, 'String encodeURIComponent decodeURIComponent encodeURI decodeURI', primitives),
  ...plain(NUMBER, 'Number parseInt parseFloat', primitives),
  ...plain(TRUTH, 'Boolean isNaN isFinite', primitives),
  ...plain({ is: 'style' }, 'getComputedStyle'),
]);
