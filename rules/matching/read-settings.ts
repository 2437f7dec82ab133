import { isChangedBy, isDescribed } from '../language/described-value';
import { isQuoted, protectQuotes, restore, unquote, type Spans } from '../language/protected-text';
import { stemOf } from '../language/stems';
import { isVerb, stemsIn, wordsOf, type Word } from '../language/words';
import { fitOf, MARGIN } from './by-words';
import { isDestructive } from './does-other';
import * as acts from './element-commands';
import { isOnlyLongField, isOnlyNewField, isOnlyOne } from './only-field';
import { isField, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { normal } from './name-match';
import { TO_CLICK, TO_SET } from './purpose';
import { commandsOn, type TargetSearch } from './resolution';
import { settingOf } from './resolve-choice';

/** A field and the value that it is to get, as one way of cutting a clause; all words beside the value are accounted for. */
export interface Setting {
  item: Item;
  value: string;
  isQuoted: boolean;
  score: number;
  resolution: TargetSearch & { kind: 'commands' };
}

/** Verbs that give something a value, and need no button of their name. */
export const GIVING_VERBS = new Set(
  (
    'type enter write put input insert add paste key fill use note give make choose select pick set take say record change update correct ' +
    'adjust raise lower increase decrease reduce replace move assign switch turn mark let rename complete populate filter sort show only ' +
    'describe edit modify amend search find limit narrow restrict hand'
  ).split(' '),
);
const PARTICLE = /^(?:in|out|down|up|please|also|then)$/i;
/** Words behind which a value begins, and before which one ends. */
const BEFORE_VALUE =
  /^(?:to|with|by|as|=|is|are|be|into|on|at|for|in|from|until|till|saying|says?|reads?|called|named|text|value|number|name|words?|of|the|a|an|now|like)$/i;
const BEHIND_VALUE = /^(?:in|into|for|as|on|to|at|under|of|from|with|there|inside|within)$/i;
const MARK = /^[,;:=→–-]$/;
const KIND = /^(?:field|box|input|textbox|text|area|textarea|value|dropdown|select|combobox|list|option)$/;
const MOST_PIECES = 40;

interface Piece {
  said: string;
  from: number;
  to: number;
}

/** All settings that a clause can mean on this page, the best of each field. */
export function settingsIn(page: Page, text: string, used: ReadonlySet<string>, soft: readonly Word[]): Setting[] {
  const { text: plain, spans } = protectQuotes(text);
  const pieces = piecesOf(plain);
  const lead = leadOf(pieces);
  if (pieces.length > MOST_PIECES || lead === undefined || isChangedBy(plain)) return [];
  const fields = page.items.filter(
    (item) => TO_SET.rank(item) !== undefined && !item.isHidden && !/^(?:checkbox|radio|switch)$/.test(item.role),
  );
  return fields.flatMap((field) => {
    const ways = cutsFor(field, pieces, lead).flatMap(
      ([from, to]) => settingAt(page, field, plain, pieces, lead, from, to, spans, used, soft) ?? [],
    );
    const best = ways.sort((a, b) => b.score - a.score || b.value.length - a.value.length)[0];
    return best === undefined || (!best.isQuoted && isDescribed(best.value)) ? [] : best;
  });
}

/** The setting that is meant: undefined where there is none, several where fields account for the words equally well. */
export function bestSettings(settings: readonly Setting[]): Setting[] {
  const top = Math.max(...settings.map(({ score }) => score));
  return settings.filter(({ score }) => score > top - MARGIN);
}

function piecesOf(plain: string): Piece[] {
  return [
    ...plain.matchAll(/[\uE000-\uF8FF]|[^\s,;:\uE000-\uF8FF]+(?:[,:.](?=[^\s,;:])[^\s,;:\uE000-\uF8FF]+)*|[,;:]/gu),
  ].map((match) => ({
    said: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** How many words at the beginning say only that a value is given; undefined where another verb begins the clause. */
function leadOf(pieces: readonly Piece[]): number | undefined {
  const first = pieces[0]?.said.toLowerCase() ?? '';
  if (!GIVING_VERBS.has(first)) return isVerb(first) ? undefined : 0;
  return pieces[1] !== undefined && PARTICLE.test(pieces[1].said) && pieces.length > 3 ? 2 : 1;
}

function nameStems(field: Item): string[] {
  return [field.label, ...field.hints].flatMap((name) =>
    stemsIn(name.replace(/\(.*?\)|\b(?:optional|your|the|a|of)\b/gi, ' ')),
  );
}

/** Where the value may begin and end, before or behind a word that separates it from the name of its field. */
function cutsFor(field: Item, pieces: readonly Piece[], lead: number): [number, number][] {
  const names = new Set(nameStems(field));
  const isName = (piece: Piece | undefined): boolean => piece !== undefined && names.has(stemOf(piece.said));
  const isKind = (piece: Piece | undefined): boolean => piece !== undefined && KIND.test(stemOf(piece.said));
  const cuts: [number, number][] = [];
  for (let from = lead; from < pieces.length; from += 1) {
    const before = pieces[from - 1];
    if (MARK.test(pieces[from]!.said) || /^(?:is|are|to|=|as|with|be|by)$/i.test(pieces[from]!.said)) continue;
    if (
      from > lead &&
      !/^[:=→]$/.test(before!.said) &&
      !BEFORE_VALUE.test(before!.said) &&
      !isName(before) &&
      !isKind(before)
    )
      continue;
    for (let to = from + 1; to <= pieces.length; to += 1) {
      const after = pieces[to];
      if (pieces[to - 1]!.said === ';') break;
      if (MARK.test(pieces[to - 1]!.said)) continue;
      if (
        after === undefined ||
        MARK.test(after.said) ||
        BEHIND_VALUE.test(after.said) ||
        isName(after) ||
        isKind(after)
      )
        cuts.push([from, to]);
    }
  }
  return cuts;
}

function settingAt(
  page: Page,
  field: Item,
  plain: string,
  pieces: readonly Piece[],
  lead: number,
  from: number,
  to: number,
  spans: Spans,
  used: ReadonlySet<string>,
  soft: readonly Word[],
): Setting | undefined {
  const start = pieces[lead]?.from ?? 0;
  const raw = plain
    .slice(pieces[from]!.from, pieces[to - 1]!.to)
    .replace(/^(?:the\s+)?(?:text|value|number|words?)\s+(?=\S)/i, '');
  const value = unquote(raw, spans);
  const isSafe = isQuoted(raw);
  // A quoted text is a whole: it is the value, or names a place.
  if (value === '' || (!isSafe && /[\uE000-\uEFFF]/.test(raw))) return undefined;
  if (!isSafe && !isWhole(raw, pieces, lead, from, to, field)) return undefined;
  const outside = `${plain.slice(start, pieces[from]!.from)} ${plain.slice(pieces[to - 1]!.to)}`;
  const all = wordsOf(restore(outside, spans), false);
  const said = all.filter(({ stem, isQuoted: isWhole }) => !used.has(stem) && (isWhole || !KIND.test(stem)));
  const passed = all.filter(({ stem }) => used.has(stem)).length;
  const words = asOnPage(page, said, isDestructive(said));
  const [verb = ''] = plain.split(/\s/);
  if (isSearch(field) ? !SEARCHES.test(verb) && !said.some(({ stem }) => SEARCHES.test(stem)) : SEARCHES.test(verb))
    return undefined;
  // “filter vegetarian” presses what is called so.
  if (!isSafe && /^filter$/i.test(verb) && isSearch(field) && isLabel(page, value)) return undefined;
  if (words.length === 0 && SEARCHES.test(verb) && isSearch(field)) words.push(...wordsOf('search', false));
  const isBody =
    words.length === 0 &&
    ((isSafe && BODY.test(outside) && isOnlyLongField(page, field)) || (passed > 0 && isOnlyNewField(page, field)));
  const fit = isBody
    ? { score: 4, left: [] }
    : words.length === 0
      ? undefined
      : fitOf(page, field, [...words, ...asOnPage(page, soft, false)], TO_SET, isSearch(field));
  const left = fit?.left.filter(({ stem }) => !(SEARCHES.test(stem) && isSearch(field)));
  if (fit === undefined || left === undefined || left.length > 0) return undefined;
  const own = new Set([field.label, ...field.hints].flatMap(stemsIn));
  const others = words.filter((word) => word.isQuoted !== true && !own.has(word.stem)).map(({ said: word }) => word);
  if (namesAnother(page, others.join(' '), field)) return undefined;
  if (!isSafe && holdsName(page, value, field)) return undefined;
  const coverage = isBody || (isSearch(field) && SEARCHES.test(verb)) ? 1 : nameCoverage(field, words);
  const before = pieces[from - 1];
  const isBeside = !isSafe && from > lead && before !== undefined && own.has(stemOf(before.said));
  if (isBeside && coverage < 1 && (!CODE.test(value) || hasOwnButton(field))) return undefined;
  // “give "…" as the reason” is for the only field that has this word, “Reason for declining”.
  const isOnly =
    isSafe && coverage > 0 && isOnlyOne(page, field, (item) => isNameable(item) && nameCoverage(item, words) > 0);
  if ((coverage < 0.5 && !isOnly) || (!isSafe && namesAnother(page, value, field))) return undefined;
  // What is chosen is typed nowhere.
  if (!isSafe && /^(?:choose|select|pick)$/i.test(verb) && /^(?:textbox|searchbox)$/.test(field.role)) return undefined;
  const isPicked = isSuggesting(field) && !/^(?:type|enter|write|put|input|fill|key|search|find)$/i.test(verb);
  const resolution = isPicked ? commandsOn(field, acts.select(field, value)) : settingOf(page, field, value);
  if (resolution.kind !== 'commands') return undefined;
  return {
    item: field,
    value,
    isQuoted: isSafe,
    score: fit.score + 2 * passed + 2 * coverage + (isSafe ? 2 : 0),
    resolution,
  };
}

/** A number or a code is no more of the name of its field: “amount 1250” for “Estimated amount”. */
const CODE = /^(?=\S*\d)[\p{Lu}\d][\p{Lu}\d.,:/-]*$/u;

/** “voucher SPRING10” is for the button beside its field, and not done with what is typed. */
const hasOwnButton = ({ parent }: Item): boolean =>
  parent?.children.filter(isField).length === 1 && parent.children.some(({ role }) => role === 'button');

const isLabel = (page: Page, name: string): boolean =>
  page.items.some((item) => TO_CLICK.rank(item) !== undefined && !item.isHidden && normal(item.label) === normal(name));

/** “the filter "critical"”, without a verb, may be the filter of that name, and not its value. */
export function mayNameControl(page: Page, text: string): boolean {
  const { text: plain, spans } = protectQuotes(text);
  const [, quote] = /^[^\uE000-\uEFFF]*([\uE000-\uEFFF])$/.exec(plain.trim()) ?? [];
  const first = /^\p{L}+/u.exec(plain)?.[0]?.toLowerCase() ?? '';
  if (quote === undefined || first === '' || isVerb(first) || GIVING_VERBS.has(first)) return false;
  return isLabel(page, unquote(quote, spans));
}

/** “with the text “…””: the only field of several lines. */
const BODY = /\b(?:text|body|message)\b/i;

/** A field that suggests what may be typed: one of that is chosen. */
const isSuggesting = ({ role, children }: Item): boolean =>
  role === 'combobox' && !children.some((child) => child.role === 'option');

const SEARCHES = /^(?:search|find|filter|look)$/i;

/** A field in which a search begins: only who searches means it. */
export const isSearch = (field: Item): boolean =>
  field.role === 'searchbox' ||
  [field.label, ...field.hints].some((name) => /^(?:search|find|filter|look up)\b/i.test(name));

const UNFINISHED =
  /\s(?:the|a|an|of|to|in|on|at|my|our|your|his|her|their|this|that|these|those|and|or|one|time|not|for|from|with)$|,\s+without\b|,\s+not\b|^(?:a|an|it|that|this|them|one|another|other|in|on|at|to|as|there)$|^(?:the|my|our|his|her|their|that|this)\b|,\s+(?:and|it|he|she|they|we|i|which|so|but|then|also)\b/i;
const CHANGES =
  /^(?:raise|lower|increase|decrease|reduce|move|switch|turn|mark|make|give|let|have|get|want|need|keep|take|hand|only|show|sort|limit|narrow|restrict|use)$/i;

const SETS = /^(?:set|change|update|correct|adjust|amend|modify|edit|rename)$/i;

/** What is said of somebody is no value: “Emma Jones got 78 in the exam”. */
const ACCOUNT =
  /,\s|^(?:got|has|have|had|was|were|is|needs?|wants?|will|would|should|can|could|did|does|said|says|left|took|gave|[a-z]+ed)\b|(?:\S+\s+){6}/i;

/** Whether words without quotes can be a value: whole, and where no verb says that something is given, the end of the clause. */
function isWhole(raw: string, pieces: readonly Piece[], lead: number, from: number, to: number, field: Item): boolean {
  if (UNFINISHED.test(raw) || /^(?:in|on|at|for|from|of|by|with|into|to|as)\s/i.test(raw)) return false;
  if ([...raw.matchAll(/\b(?:and|then)\s+([a-z]+)/gi)].some(([, word]) => isVerb(word!.toLowerCase()))) return false;
  const before = pieces[from - 1]?.said ?? '';
  // “change return date to 14 May” gives “Return” no “date to 14 May”.
  if (SETS.test(pieces[0]!.said) && /\sto\s/i.test(raw) && !/^(?:to|as|:|=|→)$/i.test(before)) return false;
  const isEnd = to === pieces.length || pieces[to]!.said === ';';
  const names = new Set(nameStems(field));
  if (lead === 0)
    return isEnd && (/^(?:[:=→]|is|are|to|by|as)$/i.test(before) || (names.has(stemOf(before)) && !ACCOUNT.test(raw)));
  if (CHANGES.test(pieces[0]!.said)) return /^(?:to|by|as|:|=|at|on|for)$/i.test(before);
  return true;
}

/** How much of the name of a field is said, by the name of which most is. */
function nameCoverage(field: Item, words: readonly Word[]): number {
  const said = new Set(words.flatMap(({ said: word, also = [] }) => [...stemsIn(word), ...also]));
  const shares = [field.label, ...field.hints].map((name) => {
    const stems = [...new Set(stemsIn(name.replace(/\(.*?\)|\b(?:optional|your|the|a|of)\b/gi, ' ')))];
    return stems.length === 0 ? 0 : stems.filter((stem) => said.has(stem)).length / stems.length;
  });
  return Math.max(0, ...shares);
}

/** Whether a value says its own field's name again, or begins that of another behind a joining word. */
function holdsName(page: Page, value: string, field: Item): boolean {
  const stems = stemsIn(value);
  const isSaid = (name: string): boolean =>
    stemsIn(name).length > 0 && stemsIn(name).every((stem) => stems.includes(stem));
  if ([field.label, ...field.hints].some(isSaid)) return true;
  const joined = [...value.matchAll(/(?:,|\b(?:with|and|as|for|the|is))\s+(?:the\s+)?([\p{L}]{4,})/giu)].map(
    ([, word]) => stemOf(word!),
  );
  return page.items.some(
    (item) =>
      item !== field &&
      TO_SET.rank(item) !== undefined &&
      !item.isHidden &&
      isNameable(item) &&
      joined.includes(stemsIn(item.label || (item.hints[0] ?? ''))[0] ?? ''),
  );
}

/** A value without quotes that holds the name of another field may be two of them. */
export function namesAnother(page: Page, value: string, field: Item): boolean {
  const stems = stemsIn(value);
  return page.items.some((item) => {
    if (TO_SET.rank(item) === undefined || item.isHidden || item === field || !isNameable(item)) return false;
    const names = stemsIn(item.label || (item.hints[0] ?? ''));
    return names.length > 0 && names.every((name) => stems.includes(name));
  });
}

const isNameable = (item: Item): boolean => isField(item) || /^(?:checkbox|radio|switch)$/.test(item.role);
