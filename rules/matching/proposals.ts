import { wordsOf } from '../language/words';
import { fitting, type Fit } from './by-words';
import { surroundingsOf } from './entry';
import { truncate } from './item-text';
import { isField, type Item, type Page } from './page-index';
import { TO_CHECK, TO_CLICK, TO_SET } from './purpose';

/** A step that is understood on this page, and what it leaves out of the given one. */
export function proposalFor(page: Page, nearest: readonly Fit[]): string {
  const [first] = nearest;
  if (first === undefined) return 'Nothing on the page has these words.';
  const left = first.left.map(({ said }) => said).join(' ');
  return `Not every word of the step is accounted for on this page, so nothing was done. ${meant(
    page,
    nearest.map(({ item }) => item),
  )} Left out: “${truncate(left)}”.`;
}

/** What may be meant instead of words that mean nothing here: the button, box or field that has most of them. */
export function insteadOf(page: Page, text: string): string {
  const words = wordsOf(text);
  const found = [TO_CLICK, TO_CHECK, TO_SET].map((purpose) => {
    const { best, nearest } = fitting(page, words, purpose);
    return (best.length > 0 ? best : nearest).filter(({ item }) => purpose !== TO_SET || isField(item));
  });
  const fewest = Math.min(...found.flat().map(({ left }) => left.length));
  const items = found.find(([fit]) => fit?.left.length === fewest)?.map(({ item }) => item) ?? [];
  return items.length === 0 ? '' : ` ${meant(page, items)}`;
}

const MOST_PROPOSED = 3;

/** Asks whether one of these is meant, by name and entry. */
export function meant(page: Page, items: readonly Item[]): string {
  return `Did you mean: ${items
    .slice(0, MOST_PROPOSED)
    .map((item) => `${deedOn(item)} ${nameOf(page, item)}`)
    .join(', or ')}?`;
}

function deedOn(item: Item): string {
  if (isField(item)) return 'the field';
  return TO_CHECK.rank(item) === undefined ? 'click' : 'tick';
}

function nameOf(page: Page, item: Item): string {
  const alike = page.items.filter((other) => other.role === item.role && other.label === item.label && other.node?.ref);
  const name = `"${truncate(item.label || item.hints[0] || item.text)}"`;
  if (alike.length < 2) return name;
  const around = surroundingsOf(page, item).entryText.trim().replace(/\s+/g, ' ');
  return around === '' ? `the ${alike.indexOf(item) + 1}. ${name}` : `${name} in "${truncate(around, 40)}"`;
}
