import { stemsIn, wordsOf } from '../language/words';
import { surroundingsOf } from './entry';
import { ancestors, isInside, itemsInside, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { leftOver } from './left-over';
import { TO_SEE } from './purpose';
import { ASKING, labelsOf } from './read-value';
import { refused, severalFor, type TargetSearch } from './resolution';
import { headingsOf } from './table-cells';
import { namesByForm } from './value-forms';
import { regionOf } from './word-regions';

/** A value that is read is that of what was named: each word is of its label, its entry or its place. */
export function valueAccountedFor(
  page: Page,
  said: string,
  resolution: TargetSearch & { kind: 'commands' },
  target: Item,
): TargetSearch {
  const words = asOnPage(page, wordsOf(said, false), false);
  const place = surroundingsOf(page, target);
  const labels = words.map(({ stem }) => stem).filter((stem) => place.own.has(stem));
  const hasLabel = ({ text }: Item): boolean => stemsIn(text).some((stem) => labels.includes(stem));
  const leaves = itemsInside(page, target).filter((item) => item.children.length === 0);
  const ofLabels = labels.map((label) => leaves.filter(({ text }) => stemsIn(text).includes(label)));
  const alike = ofLabels.find((items) => items.length > 1);
  if (alike !== undefined && /^(?:generic|list|main|region)$/.test(target.role)) return severalFor(said, alike);
  /** The texts of a part around the value, without what has its label again: that is another entry. */
  const textsIn = (part: Item): string[] => {
    if (part !== target && isInside(target, part)) return [part.node?.name ?? '', ...part.children.flatMap(textsIn)];
    return part !== target && hasLabel(part) ? [] : [part.text, ...part.hints];
  };
  const around = new Set([
    ...place.own,
    ...place.section,
    ...place.parts.flatMap(textsIn).flatMap(stemsIn),
    ...rowsAround(page, target),
    ...labelsOf(page, target).flatMap(stemsIn),
    // Shops seldom label their prices.
    ...namesByForm(target),
  ]);
  const left = words.filter((word) => {
    if (word.ordinal !== undefined || ASKING.test(word.stem)) return false;
    const isThere =
      word.isQuoted === true
        ? stemsIn(word.said).every((stem) => around.has(stem))
        : [word.stem, ...(word.also ?? [])].some((stem) => around.has(stem));
    return !isThere && regionOf(page, target, place, word, TO_SEE, words) !== 'kind';
  });
  return left.length === 0 ? resolution : refused(leftOver(left));
}

/** The words of the row or list item of a value, and the headings of its table. */
function rowsAround(page: Page, target: Item): readonly string[] {
  return [target, ...ancestors(target)].flatMap((item) => {
    if (/^(?:row|listitem|article)$/.test(item.role)) return stemsIn(item.text);
    if (/^(?:cell|gridcell)$/.test(item.role)) return headingsOf(page, item).flatMap(stemsIn);
    if (!/^(?:table|grid|treegrid)$/.test(item.role)) return [];
    return itemsInside(page, item).flatMap(({ role, text }) => (role === 'columnheader' ? stemsIn(text) : []));
  });
}
