import { stemOf } from '../language/stems';
import { wordsOf, type Word } from '../language/words';
import { toNumber } from '../page-text/to-number';
import { fitOf, bestOf } from './by-words';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { itemsInside, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { TO_CLICK, TO_SET } from './purpose';
import { commandsOn, refused, type TargetSearch } from './resolution';

const COUNTS: Record<string, number> = { a: 1, an: 1, one: 1, another: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };
const N = '(?<n>\\d{1,2}|a|an|one|another|two|three|four|five|six)';
const MOST = 20;

/** Ways to say that a number is to become larger or smaller by so much; `what` is what it is the number of. */
const STEPS: readonly (readonly [form: RegExp, isMore: boolean | 'sign'])[] = [
  [
    new RegExp(
      `^(?:add|give|put|take|make|book|get|need|want)?\\s*${N}\\s+(?:more|additional|extra|further)\\s+(?<what>.+)$`,
      'i',
    ),
    true,
  ],
  [new RegExp(`^(?<what>.+?)[:,]?\\s+${N}\\s+(?:more|extra|up)$`, 'i'), true],
  [new RegExp(`^(?<what>.+?)[:,]?\\s+${N}\\s+(?:less|fewer|down)$`, 'i'), false],
  [new RegExp(`^${N}\\s+(?:less|fewer)\\s+(?<what>.+)$`, 'i'), false],
  [
    new RegExp(
      `^(?:increase|raise|up|bump(?:\\s+up)?)\\s+(?:the\\s+)?(?<what>.+?)\\s+by\\s+${N}(?:\\s+(?!and\\b|then\\b)\\p{L}+)?$`,
      'iu',
    ),
    true,
  ],
  [
    new RegExp(
      `^(?:decrease|reduce|lower|cut)\\s+(?:the\\s+)?(?<what>.+?)\\s+by\\s+${N}(?:\\s+(?!and\\b|then\\b)\\p{L}+)?$`,
      'iu',
    ),
    false,
  ],
  [/^(?<what>.+?)\s+(?<sign>[+−-])\s?(?<n>\d{1,2})$/, 'sign'],
  [/^(?<sign>[+−-])\s?(?<n>\d{1,2})\s+(?:for\s+|on\s+|of\s+)?(?<what>.+)$/, 'sign'],
  // “put 12 as the quantity” gives it that number.
  [new RegExp(`^(?:add|put)\\s+${N}\\s+(?!(?:as|in|into|for|under|at|behind|down)\\b)(?<what>\\S.*)$`, 'i'), true],
  [new RegExp(`^(?:take|remove|subtract)\\s+${N}\\s+(?<what>\\S.*)$`, 'i'), false],
  [/^(?:add)\s+(?<n>)(?<what>[a-z]+\s+(?:to|for)\s+\S.*)$/i, true],
];

const MORE =
  /^\s*(?:\+\s?1?|▲|➕|⊕)\s*$|\b(?:plus|increase|increment|add one|one more|raise)\b|^more\b(?!\s+(?:actions?|options?|details?|info|about))/i;
const LESS = /^\s*(?:[-−–]\s?1?|▼|➖|⊖)\s*$|\b(?:minus|decrease|decrement|reduce|one less|lower)\b|^(?:less|fewer)\b/i;

/** “set the temperature to -5” */
const GIVES = /^(?:set|type|enter|write|put|fill|change|update|choose|select)\b|(?:\b(?:to|is|as|by|at)|[:=])\s*$/i;

/** What a number counts, which no control has to say. */
const UNITS: ReadonlySet<string> = new Set(
  'piece pc serving portion place seat copy unit degree item one time number count quantity shelf stock level amount order'
    .split(' ')
    .map(stemOf),
);

/** “one more serving for the risotto”: the button beside the number that makes it larger, clicked so often; else the field. */
export function stepIn(page: Page, text: string): TargetSearch | undefined {
  for (const [form, kind] of STEPS) {
    const { n = '', what = '', sign } = form.exec(text.replace(' ; ', ' '))?.groups ?? {};
    const count = n === '' ? 1 : (COUNTS[n.toLowerCase()] ?? Number(n));
    if (what === '' || count < 1 || count > MOST || (kind === 'sign' && GIVES.test(what))) continue;
    const words = wordsOf(what.replace(/\b(?:off|from|of|to|for|on|in|at)\b/gi, ' '), false).filter(
      ({ stem, isQuoted }) => isQuoted === true || !UNITS.has(stem),
    );
    const found = stepBy(page, words, count, kind === 'sign' ? sign === '+' : kind);
    if (found !== undefined) return found;
    // “+2” is never one click of a “+” in an entry that says 2.
    if (kind === 'sign') return refused(`There is no number here that “${text}” would change.`);
  }
  return undefined;
}

function stepBy(page: Page, said: readonly Word[], count: number, isMore: boolean): TargetSearch | undefined {
  const words = asOnPage(page, said, true);
  if (words.length === 0) return undefined;
  const fits = (items: readonly Item[], purpose: typeof TO_CLICK): Item[] =>
    bestOf(
      items.flatMap((item) => fitOf(page, item, words, purpose, true) ?? []).filter(({ left }) => left.length === 0),
    ).map(({ item }) => item);
  const buttons = page.items.filter(
    (item) =>
      TO_CLICK.rank(item) !== undefined &&
      !item.isHidden &&
      [item.label, ...item.hints].some((name) => (isMore ? MORE : LESS).test(name)) &&
      hasCounterpart(page, item, isMore),
  );
  const [button, ...others] = fits(buttons, TO_CLICK);
  if (button !== undefined)
    return others.length > 0 || button.node?.disabled === true
      ? undefined
      : commandsOn(button, ...Array.from({ length: count }, () => acts.click(button)));
  const fields = page.items.filter(
    (item) => item.role === 'spinbutton' && !item.isHidden && item.node?.disabled !== true,
  );
  const [field, ...more] = fits(fields, TO_SET);
  const now = field === undefined || more.length > 0 ? undefined : toNumber(field.text);
  return now === undefined || field === undefined
    ? undefined
    : commandsOn(field, acts.type(field, String(isMore ? now + count : now - count)));
}

/** A number is made larger and smaller at one place: “+” alone may add an entry. */
function hasCounterpart(page: Page, item: Item, isMore: boolean): boolean {
  const above = [item.parent, item.parent?.parent].filter((part) => part !== undefined);
  const parts = [...surroundingsOf(page, item).parts, ...above];
  return parts.some((part) =>
    itemsInside(page, part).some(
      (other) =>
        other !== item &&
        TO_CLICK.rank(other) !== undefined &&
        [other.label, ...other.hints].some((name) => (isMore ? LESS : MORE).test(name)),
    ),
  );
}
