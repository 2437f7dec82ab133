import type { Description } from '../language/description';
import { cellsUnder } from './table-cells';
import { findCell } from './tables';
import { shownFor } from './read-value';
import { bestMatches, find, placedReadings, toFound, type Found } from './find';
import { nearLandmarks } from './landmarks';
import { levelOf, normal } from './name-match';
import { isField, nearestNamed, type Item, type Page } from './page-index';
import { TO_SEE, TO_SET } from './purpose';
import { PRICE } from './value-forms';

/**
 * Finds what "the Total" refers to: a field or another element of that name, or the value of a label: after the label, in
 * the definition of a term, in the next cell of its row, or in its column of a named row.
 */
export function findValue(page: Page, description: Description, wantedText?: string): Found {
  const byWords = shownFor(page, description.said);
  if (byWords.length === 1 && (isField(byWords[0]!) || /^(?:grid)?cell$/.test(byWords[0]!.role)))
    return named(byWords[0]!);
  for (const readings of placedReadings(description)) {
    const cell = findCell(page, readings);
    if (cell !== undefined) return cell.kind === 'one' ? named(cell.item) : cell;
    const shown = settle(
      search(page, { said: description.said, isQuoted: description.isQuoted, readings }),
      wantedText,
    );
    if (shown.kind === 'one') return named(shown.item);
    if (shown.kind === 'several') return shown;
  }
  return toFound(byWords.map((item) => nearestNamed(item)!));
}

function search(page: Page, description: Description): Found {
  const field = exactly(find(page, description, TO_SET), description);
  if (field) return field;
  const price = pricesFor(page, description);
  if (description.readings.some(({ near }) => near) && price.length > 0) return toFound(price);
  const found = bestMatches(page, description.readings, TO_SEE);
  if (found.length === 0) return toFound(price);
  // A heading is no value: what stands under it is.
  if (!saysKind(description) && found.every(({ role }) => role === 'columnheader'))
    return toFound(found.flatMap((heading) => cellsUnder(page, heading)));
  const values = new Set(found.map((item) => (saysKind(description) ? item : valueOf(item, description))));
  return toFound([...values]);
}

/** Finds prices by their format: shops seldom label them "Price". */
function pricesFor(page: Page, { readings }: Description): Item[] {
  const asked = readings.filter(({ name }) => /^price$/i.test(name ?? ''));
  if (asked.length === 0) return [];
  const prices = page.items.filter(
    (item) => item.children.length === 0 && !item.isHidden && PRICE.test(item.text.trim()),
  );
  const near = asked.find((reading) => reading.near)?.near;
  return near === undefined
    ? prices.filter(({ node }) => node?.ref)
    : nearLandmarks(page, prices, bestMatches(page, near.landmark, TO_SEE), near.isInside);
}

/** Prefers, among several matches, one that shows the wanted text. */
function settle(found: Found, wantedText: string | undefined): Found {
  // Which row is meant isn't said by the text that is expected in it.
  if (found.kind !== 'several' || found.items.every(({ role }) => /^(?:grid)?cell$/.test(role))) return found;
  const showing = found.items.filter(
    (item) => wantedText !== undefined && normal(item.text).includes(normal(wantedText)),
  );
  if (showing[0]) return { kind: 'one', item: showing[0] };
  const headings = found.items.filter((item) => item.role === 'heading');
  const top = headings.filter((item) => item.node?.level === 1);
  return headings.length === found.items.length && top[0] && top.length === 1 ? { kind: 'one', item: top[0] } : found;
}

function named(item: Item): Found {
  const target = nearestNamed(item);
  return target ? { kind: 'one', item: target } : { kind: 'none' };
}

function exactly(found: Found, description: Description): Found | undefined {
  const items = found.kind === 'one' ? [found.item] : found.kind === 'several' ? found.items : [];
  const isExact = (item: Item): boolean =>
    isField(item) && description.readings.some(({ name }) => name !== undefined && (levelOf(item, name) ?? 9) <= 2);
  return items.length > 0 && items.every(isExact) ? found : undefined;
}

const saysKind = ({ readings }: Description): boolean => readings[0]?.role !== undefined;

/** The value of a label; any other item is its own value. */
function valueOf(item: Item, description: Description): Item {
  const isLabel = description.readings.some(({ name }) => name !== undefined && normal(item.text) === normal(name));
  if (!isLabel || isField(item)) return item;
  // A label may be alone in a box, with the value next to the box.
  let label = item;
  for (let up = 0; up < 3; up += 1) {
    const siblings: Item[] = label.parent?.children ?? [];
    const next = siblings[siblings.indexOf(label) + 1];
    if (next && next.text !== '' && next.role !== 'columnheader') return next;
    if (!label.parent || normal(label.parent.text) !== normal(item.text)) break;
    label = label.parent;
  }
  return item;
}
