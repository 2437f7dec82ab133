import { NOUN as OTHER_NOUN, THING, ROLE_WORD, roleWord, type RoleWord } from './role-words';
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
  /** Only the whole name or text counts: "Alert" may be a button of that name. */
  isExact?: true;
}

/** Where the target is, as the sentence said before its action; a soft one is dropped where nothing of it is there. */
export interface Place {
  isInside: boolean;
  landmark: Reading[];
  isSoft?: true;
}

/** A control as an instruction describes it, with all its interpretations, the most likely first. */
export interface Description {
  said: string;
  isQuoted: boolean;
  readings: Reading[];
  place?: Place;
  /** "both fields", "every checkbox": not one of them but all. */
  every?: 'both' | 'all';
}

const ARTICLE = /^(?:(?:the|a|an|any)\s+)+/i;
const PREVIOUS =
  /^(?:it|there|this|that|(?:this|that|the same) (?:one|field|box|input|button|link|list|dropdown|element|control))$/i;
const RELATION =
  /\s+(next to|beside|near to|near|close to|by|underneath|under|below|above|inside|within|in|on|of|for|from|with|at|to the (?:left|right) of|belonging to)\s+/gi;
const POSSESSIVE = /^(?:my|your|our|his|her|their|its)\s+(?=\S)/i;
const EVERY = new RegExp(
  `^(both|all|every|each)(?:\\s+of)?(?:\\s+the)?\\s+((?:.+\\s)?(?:${ROLE_WORD}))(?:s|es)?(?=$|\\s+(?:in|on|of|under|below)\\s)(.*)$`,
  'i',
);
const INSIDE = /^(?:under|underneath|below|inside|within|in|on|of|from|at|belonging to)$/i;
const ORDINALS = 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'.split('|');
const ORDINAL = new RegExp(`^(${ORDINALS.join('|')}|last|\\d{1,4}(?:st|nd|rd|th))\\s+(.+)$`, 'i');
const NAMED =
  '(?:called|named|labell?ed|titled|saying|reading|with (?:the )?(?:text|name|label|title)|that (?:says|reads)|to(?: the)?)';

const NOUN = `${THING}|${OTHER_NOUN}`;
/** Few: “column header” is one word of these and two, so that without a limit a row of them has ever more readings. */
const KIND_WORDS = `(?:(?:${ROLE_WORD}|${NOUN})s?\\s+){0,4}(?:${ROLE_WORD}|${NOUN})(?:s|es)?`;
const THING_ONLY = new RegExp(`^(?:${THING})s?$`);
const NOUN_LAST = new RegExp(`^(.+?)\\s+(?:${NOUN})s?$`, 'i');
const NOUN_FIRST = new RegExp(`^(?:${NOUN})\\s+(.+)$`, 'i');
/** "the button in the dialog labelled OK": the name is that of the button. */
const KIND_IN = new RegExp(
  `^(${ROLE_WORD})\\s+(in|inside|within|on|of)\\s+((?:the\\s+)?(?:${ROLE_WORD}))\\s+(${NAMED}\\s+.+)$`,
  'i',
);
/** "the bin to delete it": what it is clicked for. */
const PURPOSE =
  /^(.+?)\s+(?:in order\s+)?to\s+(?:continue|proceed|go on|finish|submit|confirm|save|delete|remove|open|close|see|start|complete|search|log in|sign in|add|apply|\w+\s+(?:it|them|this|that))\b.*$/i;

/** What people call the button of a dialog that is named Close. */
const CROSS = /^[x×✕✖]$/i;
const ROLE_ONLY = new RegExp(`^(?:${ROLE_WORD})s?$`, 'i');
const QUOTED_HEAD = new RegExp(
  `^(?:(${KIND_WORDS})\\s*:?\\s*)?(?:(?:text|${NAMED})\\s+)?(${QUOTE})(?:\\s+(${KIND_WORDS}|text))?$`,
  'i',
);
/** “the payment with reference "X"”, around what is meant: the name says which, whatever kind of thing that is. */
const OF_QUOTED = new RegExp(`^(?!.*\\b(?:not|no|except|without|other)\\b)(?:[a-z]+\\s+){1,3}(${QUOTE})$`);
const ROLE_LAST = new RegExp(`^(.+?)\\s+(${ROLE_WORD})$`, 'i');
const ROLE_FIRST = new RegExp(`^(${ROLE_WORD})\\s+(${NAMED}\\s+)?(.+)$`, 'i');
/** "the folder or file named Notes" */
const EITHER_KIND = new RegExp(`^(?:${ROLE_WORD}|${NOUN})\\s*(?:or|/)\\s*(${ROLE_WORD}|${NOUN})(\\s.+)$`, 'i');
/** a "text" widget: the name in quotes is that of a kind. */
const KIND_IN_QUOTES = new RegExp(`^(${QUOTE})\\s+(?:widget|element|control)s?$`, 'i');
const DEEPEST = 3;
/** Bounds the number of readings of a long text. */
const MOST_RELATIONS = 4;

export function parseDescription(part: string, spans: Spans): Description {
  const text = withoutArticle(part);
  const [, every, kind, rest = ''] = EVERY.exec(text) ?? [];
  const readings = readingsOf(kind === undefined ? part : kind + rest, spans, 0);
  return {
    said: restore(text, spans),
    isQuoted: new RegExp(QUOTE).test(text),
    readings,
    ...(every !== undefined && { every: /^both$/i.test(every) ? ('both' as const) : ('all' as const) }),
  };
}

/** A place that is named before the action: `in the "Basic" card`. */
export function parsePlace(preposition: string, part: string, spans: Spans): Place | undefined {
  const landmark = readingsOf(part, spans, 1).filter((reading) => !reading.isPrevious);
  return landmark.length === 0 ? undefined : { isInside: INSIDE.test(preposition), landmark };
}

/** The name in a description, without the word for its kind; undefined where it has none. */
export function textMeant(part: string, spans: Spans): string | undefined {
  const reading = parseDescription(part, spans).readings.find(({ isExact }) => !isExact);
  return reading === undefined || reading.isPrevious || reading.near ? undefined : reading.name || undefined;
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
  if (PREVIOUS.test(part.trim())) return [{ isPrevious: true }];
  const text = withoutArticle(part);
  if (text === '') return [];
  const readings = [...headReadings(text, spans), ...kindInQuotes(part, text, spans)];
  const [, quoted] = depth === 0 || readings.length > 0 ? [] : (OF_QUOTED.exec(text) ?? []);
  if (quoted !== undefined) readings.push({ name: unquote(quoted, spans) });
  if (depth >= DEEPEST) return readings;
  const relate = (head: string, landmark: string, isInside: boolean): void => {
    const landmarks = readingsOf(landmark, spans, depth + 1);
    if (landmarks.length === 0) return;
    for (const reading of headReadings(withoutArticle(head), spans)) {
      readings.push({ ...reading, near: { isInside, landmark: landmarks } });
    }
  };
  const owner = /^(.+?)['’]s\s+(.+)$/.exec(text);
  // "the Basic plan's card" is the card of that name.
  if (owner?.[1] && owner[2] && ROLE_ONLY.test(owner[2]))
    readings.push(...namedReadings(`${owner[1]} ${owner[2]}`, spans));
  if (owner?.[1] && owner[2]) relate(owner[2], owner[1], true);
  const [, kind, at, around, name] = KIND_IN.exec(text) ?? [];
  if (kind && at && around && name) {
    readings.length = 0;
    relate(`${kind} ${name}`, around, INSIDE.test(at));
    return readings;
  }
  for (const match of [...text.matchAll(RELATION)].slice(0, MOST_RELATIONS)) {
    const [head, landmark] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
    // "the comment of Ann" is what has Ann's name.
    if (THING_ONLY.test(withoutArticle(head)) && /^(?:of|by|for|from)$/i.test(match[1] ?? ''))
      readings.push(...readingsOf(landmark, spans, depth + 1));
    else relate(head, landmark, INSIDE.test(match[1] ?? ''));
  }
  const [, chosen] = PURPOSE.exec(text) ?? [];
  if (chosen !== undefined)
    readings.push(...headReadings(chosen, spans).map((reading) => ({ ...reading, isGuess: true as const })));
  return readings;
}

/** Of "a … widget" any is meant, so the first; of "the … widget" the only one. */
function kindInQuotes(part: string, text: string, spans: Spans): Reading[] {
  const quoted = unquote(KIND_IN_QUOTES.exec(text)?.[1] ?? '', spans);
  const role = roleWord(quoted) ?? roleWord(`${quoted} input`);
  if (quoted === '' || role === undefined) return [];
  return [{ role, isGuess: true, ...(/^(?:an?|any)\s/i.test(part.trim()) && { ordinal: 1 }) }];
}

/** Readings of a description without a "next to …" part. */
function headReadings(text: string, spans: Spans): Reading[] {
  const either = EITHER_KIND.exec(text);
  if (either?.[1] && either[2]) return headReadings(either[1] + either[2], spans);
  const own = POSSESSIVE.test(text) ? headReadings(text.replace(POSSESSIVE, ''), spans) : [];
  if (own.length > 0) return [{ name: restore(text, spans), isExact: true }, ...own];
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
    const role = lastRole(before) ?? lastRole(after);
    const name = unquote(quoted, spans);
    const closing = CROSS.test(name) ? [{ name: 'close', ...(role && { role }), isGuess: true as const }] : [];
    return [{ name, ...(role && { role }) }, ...closing];
  }
  if (ROLE_ONLY.test(text)) {
    const role = roleWord(text) ?? roleWord(text.replace(/s$/i, ''));
    const isSearch = role?.word.startsWith('search') === true;
    const searchField = isSearch ? [{ name: 'search', role: roleWord('field') ?? role, isGuess: true as const }] : [];
    if (role) return [{ name: text, isExact: true }, { role }, ...searchField, { name: text, isGuess: true }];
  }
  const readings: Reading[] = [{ name: restore(text, spans), isExact: true }];
  const [, name, last] = ROLE_LAST.exec(text) ?? [];
  const kind = roleWord(last ?? '');
  if (name !== undefined && kind) readings.push({ name: restore(name, spans), role: kind });
  const [, first, named, behind] = ROLE_FIRST.exec(text) ?? [];
  const firstRole = roleWord(first ?? '');
  if (behind !== undefined && firstRole) {
    readings.push({ name: restore(behind, spans), role: firstRole });
    if (named !== undefined) return readings.slice(-1);
  }
  if (readings.length === 1) readings.pop();
  readings.push({ name: restore(text, spans) });
  if (firstRole && behind !== undefined && /^\d{1,4}$/.test(behind) && Number(behind) > 0) {
    readings.push({ role: firstRole, ordinal: Number(behind), isGuess: true });
  }
  const [, bare] = NOUN_LAST.exec(text) ?? [];
  const [, behindNoun] = NOUN_FIRST.exec(text) ?? [];
  for (const rest of [bare, behindNoun])
    if (rest !== undefined) readings.push({ name: restore(rest, spans), isGuess: true });
  return readings;
}

/** The role that the last of some words for kinds means. */
function lastRole(words: string | undefined): RoleWord | undefined {
  const text = (words ?? '').trim();
  const role = roleWord(text) ?? roleWord(text.replace(/(?<=x)es$|s$/i, ''));
  if (role !== undefined || !text.includes(' ')) return role;
  return lastRole(text.slice(text.indexOf(' ') + 1));
}
