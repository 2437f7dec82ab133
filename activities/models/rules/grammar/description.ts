import { ROLE_WORD, roleWord, type RoleWord } from './role-words';
import { QUOTE, unquote, restore, type Spans } from './protected-text';

/** One interpretation of a description; an element must match all members. */
export interface Reading {
  name?: string;
  role?: RoleWord;
  /** From 1; -1 is the last one. */
  ordinal?: number;
  near?: { isInside: boolean; landmark: Reading[] };
  /** "it", "that field": the target of the previous action. */
  isPrevious?: true;
  /** Used where no other reading matches: "row 17" as the seventeenth row. */
  isGuess?: true;
}

/** A control as an instruction describes it, with all its interpretations, the most likely first. */
export interface Description {
  said: string;
  isQuoted: boolean;
  readings: Reading[];
}

const ARTICLE = /^(?:(?:the|a|an|any)\s+)+/i;
const PREVIOUS =
  /^(?:it|there|this|that|(?:this|that|the same) (?:one|field|box|input|button|link|list|dropdown|element|control))$/i;
const RELATION =
  /\s+(next to|beside|near to|near|close to|by|underneath|under|below|above|inside|within|in|on|of|for|from|with|at|to the (?:left|right) of|belonging to)\s+/gi;
const INSIDE = /^(?:under|underneath|below|inside|within|in|on|of|from|at|belonging to)$/i;
const ORDINALS = 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'.split('|');
const ORDINAL = new RegExp(`^(${ORDINALS.join('|')}|last|\\d{1,4}(?:st|nd|rd|th))\\s+(.+)$`, 'i');
const NAMED =
  '(?:called|named|labell?ed|titled|saying|reading|with (?:the )?(?:text|name|label|title)|that (?:says|reads)|to(?: the)?)';

const ROLE_ONLY = new RegExp(`^(?:${ROLE_WORD})s?$`, 'i');
const QUOTED_HEAD = new RegExp(
  `^(?:(${ROLE_WORD})\\s*:?\\s*)?(?:(?:text|${NAMED})\\s+)?(${QUOTE})(?:\\s+(${ROLE_WORD}|text))?$`,
  'i',
);
const ROLE_LAST = new RegExp(`^(.+?)\\s+(${ROLE_WORD})$`, 'i');
const ROLE_FIRST = new RegExp(`^(${ROLE_WORD})\\s+(${NAMED}\\s+)?(.+)$`, 'i');
const DEEPEST = 3;
/** Bounds the number of readings of a long text. */
const MOST_RELATIONS = 4;

export function parseDescription(part: string, spans: Spans): Description {
  const text = withoutArticle(part);
  const readings = readingsOf(text, spans, 0);
  return { said: restore(text, spans), isQuoted: new RegExp(QUOTE).test(text), readings };
}

/** The name in a description, without the word for its kind; undefined where it has none. */
export function textMeant(part: string, spans: Spans): string | undefined {
  const [reading] = parseDescription(part, spans).readings;
  return reading?.isPrevious || reading?.near ? undefined : reading?.name || undefined;
}

export function withoutArticle(part: string): string {
  return part.trim().replace(ARTICLE, '').trim();
}

/** Parses an ordinal; -1 is the last. */
export function ordinalOf(word: string): number | undefined {
  if (/^last$/i.test(word)) return -1;
  const index = ORDINALS.indexOf(word.toLowerCase());
  if (index >= 0) return index + 1;
  const digits = /^(\d{1,4})(?:st|nd|rd|th)$/i.exec(word)?.[1];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}

function readingsOf(part: string, spans: Spans, depth: number): Reading[] {
  const text = withoutArticle(part);
  if (text === '') return [];
  if (PREVIOUS.test(text)) return [{ isPrevious: true }];
  const readings = headReadings(text, spans);
  if (depth >= DEEPEST) return readings;
  const relate = (head: string, landmark: string, isInside: boolean): void => {
    const landmarks = readingsOf(landmark, spans, depth + 1).filter((reading) => !reading.isPrevious);
    if (landmarks.length === 0) return;
    for (const reading of headReadings(withoutArticle(head), spans)) {
      readings.push({ ...reading, near: { isInside, landmark: landmarks } });
    }
  };
  const owner = /^(.+?)['’]s\s+(.+)$/.exec(text);
  if (owner?.[1] && owner[2]) relate(owner[2], owner[1], true);
  for (const match of [...text.matchAll(RELATION)].slice(0, MOST_RELATIONS)) {
    relate(text.slice(0, match.index), text.slice(match.index + match[0].length), INSIDE.test(match[1] ?? ''));
  }
  return readings;
}

/** Readings of a description without a "next to …" part. */
function headReadings(text: string, spans: Spans): Reading[] {
  const [, counted, rest] = ORDINAL.exec(text) ?? [];
  const ordinal = counted === undefined ? undefined : ordinalOf(counted);
  if (ordinal === undefined || rest === undefined) return namedReadings(text, spans);
  const nth = namedReadings(rest, spans).map((reading) => ({ ...reading, ordinal }));
  // "the first link" is the first of the links; "First name field" is a field called "First name".
  return ROLE_ONLY.test(rest) ? nth : [...namedReadings(text, spans), ...nth];
}

function namedReadings(text: string, spans: Spans): Reading[] {
  if (new RegExp(QUOTE).test(text)) {
    const [, before, quoted, after] = QUOTED_HEAD.exec(text) ?? [];
    if (quoted === undefined) return [];
    const role = roleWord(before ?? after ?? '');
    return [{ name: unquote(quoted, spans), ...(role && { role }) }];
  }
  if (ROLE_ONLY.test(text)) {
    const role = roleWord(text) ?? roleWord(text.replace(/s$/i, ''));
    const searchField = role?.word.startsWith('search') ? [{ name: 'search', role: roleWord('field') ?? role }] : [];
    if (role) return [...searchField, { role }, { name: text, isGuess: true }];
  }
  const readings: Reading[] = [];
  const [, name, last] = ROLE_LAST.exec(text) ?? [];
  const lastRole = roleWord(last ?? '');
  if (name !== undefined && lastRole) readings.push({ name: restore(name, spans), role: lastRole });
  const [, first, named, behind] = ROLE_FIRST.exec(text) ?? [];
  const firstRole = roleWord(first ?? '');
  if (behind !== undefined && firstRole) {
    readings.push({ name: restore(behind, spans), role: firstRole });
    if (named !== undefined) return readings.slice(-1);
  }
  readings.push({ name: restore(text, spans) });
  if (firstRole && behind !== undefined && /^\d{1,4}$/.test(behind) && Number(behind) > 0) {
    readings.push({ role: firstRole, ordinal: Number(behind), isGuess: true });
  }
  return readings;
}
