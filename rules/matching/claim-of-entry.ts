import { stemsIn, wordsOf, type Word } from '../language/words';
import * as acts from './element-commands';
import { textOfEntry, surroundingsOf } from './entry';
import { ancestors, isInside, itemsInside, nearestNamed, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { isAmong } from './read-way';
import { commandsOn, type TargetSearch } from './resolution';
import { TO_CLICK } from './purpose';
import { TABLE } from './table-cells';
import { containsText } from '../page-text/contains-text';
import { FREE_KINDS, kindsMade, THINGS } from './word-regions';

/** What begins a claim. */
const LEAD =
  /^(?:(?:please|kindly|then|and|also)\s+)*(?:(?:verify|check|assert|ensure|confirm|expect|see|make\s+sure|be\s+sure)\s+)?(?:(?:that|if|whether|to\s+see)\s+)?/i;
/** What a bag of words can not say: what is not so, how many there are, a comparison, an order, a state of a control. */
const NOT_SO_SIMPLE =
  /\b(?:no|not|never|without|except|only|neither|nor|before|after|more|less|fewer|than|least|most|all|every|each|any|both|none|first|last|second|third|next|between|above|below|under|over|until|since|was|were|disabled|enabled|checked|unchecked|ticked|unticked|selected|visible|hidden|empty|button|field|checkbox|message|dialog|page|tab|column|row\s+\d|\d+\s+(?:rows|entries|items))\b|n['’]t\b|\b\d+\s+(?!(?:is|has|was|costs|weighs|shows|says|reads|belongs|lies|stands|holds|contains|goes|starts|ends)\b)\p{Ll}+s\b/iu;
/** Verbs that only join a thing and what is said of it. */
const JOINS =
  /^(?:is|are|be|been|being|has|have|had|stand|lie|lies|sit|sing|play|work|live|cost|weigh|read|say|show|hold|contain|mark|marked|listed|shown|displayed|set|named|called|look|looked|belong|carry|carrie|go|gone|come|get|got|give|given|now|already|still|currently|today|also|there|here|state|status)$/;
const MOST_WORDS = 10;

/**
 * The entry of which a claim speaks, where it has every word of it: “verify that Olivia Marsh is marked as late”. Undefined
 * where none has them all, or more than one has.
 */
export function claimOfEntry(page: Page, text: string): TargetSearch | undefined {
  const claim = text.replace(LEAD, '').replace(/[.!?]+$/, '');
  if (NOT_SO_SIMPLE.test(claim.replace(/[“"][^”"]*[”"]/g, ' '))) return undefined;
  const all = asOnPage(page, wordsOf(claim, false), false);
  // What is said of the entry stands at the end.
  const last = all.at(-1);
  if (last === undefined || JOINS.test(last.stem)) return undefined;
  // “the key mobile-app”: what the entries of the page are.
  const kinds = kindsMade(page);
  const saysKind = ({ stem }: Word): boolean =>
    JOINS.test(stem) || FREE_KINDS.test(stem) || THINGS.test(stem) || kinds.has(stem);
  const words = all.filter((word) => word === last || isName(word) || !saysKind(word));
  if (!words.some(isName) || words.length < 2 || words.length > MOST_WORDS) return undefined;
  // “the price of Green Basic is 28.4”: the price is what its column is called.
  const isOf = (entry: Item, word: Word): boolean =>
    has(textOfEntry(entry), word) ||
    ((!isName(word) || ABBREVIATED.test(word.said)) && word !== last && has(headsOf(page, entry), word));
  const value = VALUE.exec(claim)?.[1] ?? '';
  const having = entriesOf(page).filter(
    (entry) =>
      words.every((word) => isOf(entry, word)) && saysValue(textOfEntry(entry), value, stemsIn(headsOf(page, entry))),
  );
  const inner = having.filter((entry) => !having.some((other) => other !== entry && isInside(other, entry)));
  const [entry, ...others] = inner;
  const named = entry === undefined || others.length > 0 ? undefined : nearestNamed(entry);
  if (named === undefined || entry === undefined) return undefined;
  const shown = textOfEntry(entry);
  // What names a column or a list is not seen in the entry itself.
  const seen = words.filter((word) => isName(word) || word === last);
  const literals = seen.flatMap((word) => literalIn(shown, word) ?? []);
  return commandsOn(named, ...literals.map((text) => acts.expect(named, { text })));
}

const ABBREVIATED = /^\p{Lu}{2,5}$/u;

/** What is said of the entry: behind the last verb that joins, with the “in” of “is in stock”. */
const VALUE =
  /^.*\b(?:is|are|be|been|has|have|shows?|says?|reads?|as|called|costs?|weighs?|plays?|sings?|works?|lives?|lies|sits|stands|holds?|contains?|belongs|gone)\s+(?:to\s+|the\s+|an?\s+|now\s+|already\s+|still\s+|marked\s+as\s+|shown\s+as\s+|listed\s+as\s+|by\s+)*(\S.*)$/iu;
const UNSAID = '(?:not|no|never|non|without|out\\s+of|un)';

/** Several words in a row, one that nothing takes back: “in stock” is not “out of stock”. */
function saysValue(shown: string, value: string, heads: readonly string[]): boolean {
  // “assigned to Ann”, “the value 5 and a limit of 10”: each is looked for by itself, without what it is called.
  const parts = value.split(/,?\s+and\s+(?:an?\s+|the\s+|its\s+|that\s+its\s+)?|,\s+/i);
  const withoutLabel = (part: string): string =>
    part.replace(LABEL, (whole, label: string) => (stemsIn(label).every((stem) => heads.includes(stem)) ? '' : whole));
  return parts.every((part) => saysPart(shown, withoutLabel(part.replace(DONE_TO, ''))));
}

/** Words that each have to be in the entry, or be the head of a column, before a value that has to stand there as it is said. */
const DONE_TO = /^\p{Ll}+(?:ed|en)\s+(?:to|by|as|in|at|with|on|for|from)\s+/u;
const LABEL = /^(?:(?:the|an?|its)\s+)?((?:\p{Ll}+\s+){0,2}\p{L}+)\s+(?:(?:of|is|are)\s+|(?=["“]))/u;

function saysPart(shown: string, part: string): boolean {
  const plain = part
    .replace(/["“”]/g, '')
    .replace(/^(?:(?:at|on|in|from|with|by|to)\s+(?:the\s+)?)(?=\p{Lu}|\d)/u, '')
    .trim();
  if (plain === '') return false;
  if (/\s/.test(plain)) return containsText(shown, plain);
  const escaped = plain.replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return !new RegExp(`\\b${UNSAID}[\\s-]*${escaped}`, 'iu').test(shown);
}

/** What the columns of its table are called. */
function headsOf(page: Page, entry: Item): string {
  const table = [...ancestors(entry)].find(({ role }) => TABLE.test(role));
  const heads = table === undefined ? [] : itemsInside(page, table).filter(({ role }) => role === 'columnheader');
  return heads.map(({ label }) => label).join(' ');
}

const isName = ({ said, isQuoted }: Word): boolean => isQuoted === true || /\d|^\p{Lu}/u.test(said);

/** Rows, list items, articles, and the parts that hold a control with namesakes. */
function entriesOf(page: Page): Item[] {
  const rows = page.items.filter(({ role, isHidden }) => /^(?:row|listitem|article|treeitem)$/.test(role) && !isHidden);
  const cards = page.items.flatMap((item) => {
    if (TO_CLICK.rank(item) === undefined || item.isHidden) return [];
    const [part, ...others] = surroundingsOf(page, item).parts;
    if (part === undefined || others.length > 0 || part === item) return [];
    // A part is one of several where others have a control of that name too.
    const hasNamesake = page.items.some(
      (other) => other.role === item.role && other.label === item.label && !isInside(other, part) && !other.isHidden,
    );
    return hasNamesake ? part : [];
  });
  return [...new Set([...rows, ...cards])];
}

function has(text: string, word: Word): boolean {
  const stems = stemsIn(text);
  if (word.isQuoted === true) return literalIn(text, word) !== undefined;
  return isAmong(word, stems);
}

/** The word as the entry has it. */
function literalIn(text: string, word: Word): string | undefined {
  if (word.isQuoted === true) return text.toLowerCase().includes(word.said.toLowerCase()) ? word.said : undefined;
  return text
    .match(/[\p{L}\p{N}][\p{L}\p{N}'’._/-]*/gu)
    ?.find((each) => stemsIn(each).some((stem) => isAmong(word, [stem])));
}
