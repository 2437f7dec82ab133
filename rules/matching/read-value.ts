import { stemsIn, wordsOf, type Word } from '../language/words';
import { isDestructive } from './does-other';
import { surroundingsOf } from './entry';
import { ancestors, isField, itemsInside, nearestNamed, type Item, type Page } from './page-index';
import { asOnPage, vocabularyOf } from './page-words';
import { headingsOf } from './table-cells';
import { namesByForm } from './value-forms';
import { THINGS } from './word-regions';

/** What shows a value: its words, those of its label or column, and those of its entry. */
interface Shown {
  item: Item;
  score: number;
}

export const ASKING =
  /^(?:text|value|content|what|which|how|much|many|show|current|actual|present|number|amount|name)$/;
const VALUE_ROLE =
  /^(?:cell|gridcell|rowheader|definition|text|generic|paragraph|strong|emphasis|status|time|textbox|searchbox|spinbutton|combobox|heading|link|term|code|superscript|listitem)$/;

/**
 * The parts of the page that show the value which the words ask for: the cell in their column and row, what stands behind
 * their label, a field of their name. Every word is that of its label, its entry or its place.
 */
export function shownFor(page: Page, text: string): Item[] {
  const said = wordsOf(text, false);
  const words = asOnPage(page, said, isDestructive(said));
  const all = page.items.filter((item) => VALUE_ROLE.test(item.role) && !item.isHidden && item.text.trim() !== '');
  const shown = all.flatMap((item) => shownBy(page, item, words) ?? []);
  const top = Math.max(...shown.map(({ score }) => score));
  const best = shown.filter(({ score }) => score > top - 0.3).map(({ item }) => item);
  const inner = best.filter((item) => !best.some((other) => other !== item && [...ancestors(other)].includes(item)));
  return inner.map((item) => {
    // The value of a cell with a field is that of the field.
    const fields = itemsInside(page, item).filter((part) => isField(part) && !part.isHidden);
    return fields.length === 1 ? fields[0]! : item;
  });
}

function shownBy(page: Page, item: Item, words: readonly Word[]): Shown | undefined {
  const labels = labelsOf(page, item);
  const own = new Set(labels.flatMap(stemsIn));
  const formed = new Set(namesByForm(item));
  if (own.size + formed.size === 0 || nearestNamed(item) === undefined) return undefined;
  const row = [...ancestors(item)].find(({ role }) => role === 'row');
  const { entry, section } = surroundingsOf(page, item);
  const around = row === undefined ? entry : new Set(stemsIn(row.text));
  let score = 0;
  let hasLabel = false;
  for (const word of words) {
    const stems = word.isQuoted ? stemsIn(word.said) : [word.stem, ...(word.also ?? [])];
    const isIn = (some: ReadonlySet<string>): boolean =>
      word.isQuoted ? stems.every((stem) => some.has(stem)) : stems.some((stem) => some.has(stem));
    if (isIn(own)) {
      hasLabel = true;
      score += 4;
    } else if (isIn(around)) score += 3;
    else if (isIn(section)) score += 2;
    else if (isIn(formed)) {
      hasLabel = true;
      score += 1;
    } else if (!ASKING.test(word.stem) && !PART.test(word.stem) && !isKindOnly(page, word)) return undefined;
  }
  const names = own.size > 0 ? [...own] : [...formed];
  const mentioned = names.filter((name) =>
    words.some((word) => word.stem === name || word.also?.includes(name) === true),
  ).length;
  return hasLabel && (!isField(item) || mentioned / names.length >= 0.5)
    ? { item, score: score + (2 * mentioned) / names.length }
    : undefined;
}

const PART = /^(?:row|line|item|entry|record|card|column|table|field|cell|list)$/;

/** “the amount of room 104” where nothing is called a room: a kind of thing that all entries are. */
function isKindOnly(page: Page, { stem, also = [] }: Word): boolean {
  const { stems } = vocabularyOf(page);
  return THINGS.test(stem) && ![stem, ...also].some((each) => stems.has(each));
}

/** What a value is called: the heads of its column, its own name as a field, or the label before it. */
export function labelsOf(page: Page, item: Item): string[] {
  if (isField(item)) return [item.label, ...item.hints];
  if (/^(?:cell|gridcell|rowheader)$/.test(item.role)) return headingsOf(page, item);
  if (
    item.role === 'text' &&
    item.parent &&
    /^(?:cell|gridcell|columnheader|rowheader|button|link|option)$/.test(item.parent.role)
  )
    return [];
  const siblings = item.parent?.children ?? [];
  const before = siblings[siblings.indexOf(item) - 1];
  const isLabel =
    before !== undefined &&
    before.text.trim() !== '' &&
    before.text.length <= 40 &&
    before.children.length <= 1 &&
    !/^(?:button|link|checkbox|radio)$/.test(before.role);
  const isMarked = isLabel && (/:\s*$/.test(before.text) || /^(?:term|strong)$/.test(before.role));
  return isMarked ? [before.text] : [];
}
