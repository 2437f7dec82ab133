import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { z } from 'zod';

/** A regular expression matched in time linear in the length of the text: by re2js, as a native RE2 is downloaded. */
export interface LinearPattern {
  test(text: string): boolean;
  /** Ajv names what it has compiled by this. */
  toString(): string;
}

/** A pattern that can't be matched in linear time; the message says which construct it is and what to write instead. */
export class PatternRefused extends Error {}

const LONGEST_PATTERN = 1000;
/** RE2 unrolls repeats: a program of this size costs about as many steps for each character of a text. */
const LARGEST_PROGRAM = 5000;
const MOST_REPEATS = 1000;
const ANYTHING = String.raw`\x{0}-\x{10FFFF}`;
/** What \s is in JavaScript, from the first to the last code point of each range; that of RE2 is ASCII alone. */
const SPACES: readonly (readonly [number, number])[] = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const SPACE = SPACES.map(([first, last]) => rangeText(first, last)).join('');
const NO_SPACE = [[-1, -1] as const, ...SPACES]
  .map(([, last], at) => rangeText(last + 1, (SPACES[at]?.[0] ?? 0x110000) - 1))
  .join('');
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/**
 * The patterns that zod writes into JSON schemas for its own formats, such as that of `z.email()`: some look around. They
 * are known, so JavaScript's own engine may run them.
 */
const KNOWN = new Set(Object.values(z.core.regexes).flatMap((each) => (each instanceof RegExp ? [each.source] : [])));

/** Translates a pattern of ECMA-262 (with the flag u, as JSON Schema asks for) for RE2; throws PatternRefused. */
export function toLinearPattern(source: string): LinearPattern {
  if (KNOWN.has(source)) return new RegExp(source, 'u');
  if (source.length > LONGEST_PATTERN)
    throw new PatternRefused(
      `a pattern may have at most ${LONGEST_PATTERN} characters, got ${source.length}; split it over several members of allOf`,
    );
  const re2 = compile(source, written(parse(source)));
  if (re2.programSize() > LARGEST_PROGRAM)
    throw new PatternRefused(
      `the pattern ${shown(source)} repeats too much to be matched quickly; write smaller counts, and limit lengths by maxLength`,
    );
  return { test: (text) => re2.test(text), toString: () => `/${source}/` };
}

function parse(source: string): AST.Pattern {
  try {
    return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, undefined, undefined, { unicode: true });
  } catch (error) {
    throw new PatternRefused(`expected a regular expression of JavaScript: ${(error as Error).message}`);
  }
}

function compile(source: string, translated: string): RE2JS {
  try {
    return RE2JS.compile(translated);
  } catch (error) {
    throw new PatternRefused(
      `the pattern ${shown(source)} can't be matched in linear time (${(error as Error).message}); write it with fewer and smaller repeats`,
    );
  }
}

function written({ alternatives }: { alternatives: readonly AST.Alternative[] }): string {
  return alternatives.map(({ elements }) => elements.map(elementText).join('')).join('|');
}

function elementText(element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return characterText(element);
    case 'CharacterSet':
      return element.kind === 'any' ? `[^${LINE_ENDS}]` : `[${setText(element)}]`;
    case 'CharacterClass':
      return classText(element);
    case 'Assertion':
      return assertionText(element);
    case 'Quantifier':
      return quantifierText(element);
    case 'CapturingGroup':
      return `(?:${written(element)})`;
    case 'Group':
      if (element.modifiers !== null)
        throw refused(element, 'flags within a pattern', 'write both cases in classes, such as [Aa]');
      return `(?:${written(element)})`;
    case 'Backreference':
      throw refused(
        element,
        'a back-reference',
        'write out what may be repeated, or compare the parts where the result is used',
      );
    case 'ExpressionCharacterClass':
      throw refused(element, 'an operation on classes', 'write the class out');
  }
}

function assertionText(assertion: AST.Assertion): string {
  switch (assertion.kind) {
    case 'start':
      return '^';
    case 'end':
      return String.raw`\z`;
    case 'word':
      return assertion.negate ? String.raw`\B` : String.raw`\b`;
    case 'lookahead':
    case 'lookbehind':
      throw refused(
        assertion,
        `a ${assertion.kind === 'lookahead' ? 'look-ahead' : 'look-behind'}`,
        assertion.negate
          ? 'write what must not occur as a schema of its own: "not": { "pattern": … }'
          : 'write each condition as a pattern of its own, together under allOf',
      );
  }
}

function quantifierText({ raw, element, min, max }: AST.Quantifier): string {
  if (min > MOST_REPEATS || (max > MOST_REPEATS && max !== Infinity))
    throw new PatternRefused(
      `a repeat of more than ${MOST_REPEATS} can't be matched quickly, got ${shown(raw.slice(element.raw.length))}; limit lengths by maxLength and minLength`,
    );
  return `(?:${elementText(element)})${raw.slice(element.raw.length)}`;
}

function classText({ negate, elements }: AST.CharacterClass): string {
  if (elements.length === 0) return negate ? `[${ANYTHING}]` : `[^${ANYTHING}]`;
  const parts = elements.map((element) => {
    if (element.type === 'Character') return characterText(element);
    if (element.type === 'CharacterClassRange') return `${characterText(element.min)}-${characterText(element.max)}`;
    if (element.type === 'CharacterSet') return setText(element);
    throw refused(element, 'an operation on classes', 'write the class out');
  });
  return `[${negate ? '^' : ''}${parts.join('')}]`;
}

/** A set as it stands within brackets. */
function setText(set: Exclude<AST.CharacterSet, AST.AnyCharacterSet>): string {
  switch (set.kind) {
    case 'digit':
      return set.negate ? String.raw`\D` : String.raw`\d`;
    case 'word':
      return set.negate ? String.raw`\W` : String.raw`\w`;
    case 'space':
      return set.negate ? NO_SPACE : SPACE;
    case 'property': {
      const name = `\\${set.negate ? 'P' : 'p'}{${set.value ?? set.key}}`;
      if (!isKnownProperty(name))
        throw refused(
          set,
          'this Unicode property',
          String.raw`use a general category by its short name (\p{L}, \p{Nd}) or a script (\p{Script=Greek})`,
        );
      return name;
    }
  }
}

function isKnownProperty(name: string): boolean {
  try {
    RE2JS.compile(name);
    return true;
  } catch {
    return false;
  }
}

function rangeText(first: number, last: number): string {
  return String.raw`\x{${first.toString(16)}}-\x{${last.toString(16)}}`;
}

function characterText({ value }: AST.Character): string {
  const text = String.fromCodePoint(value);
  return /^[\w ]$/.test(text) ? text : String.raw`\x{${value.toString(16)}}`;
}

function refused({ raw, start }: AST.Node, what: string, instead: string): PatternRefused {
  return new PatternRefused(
    `${shown(raw)} at character ${start + 1} of the pattern is ${what}, which can't be matched in linear time; ${instead}`,
  );
}

function shown(text: string): string {
  return `“${text.length <= 60 ? text : `${text.slice(0, 60)}…`}”`;
}
