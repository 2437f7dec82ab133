import type { Description, Reading } from '../language/description';
import { bestMatches, find, placedReadings, toFound, type Found } from './find';
import { nearLandmarks } from './landmarks';
import { levelOf, normal } from './name-match';
import { isField, nearestNamed, type Item, type Page } from './page-index';
import { TO_SEE, TO_SET } from './purpose';

/**
 * Finds what "the Total" refers to: a field or another element of that name, or the value of a label: after the label, in
 * the definition of a term, in the next cell of its row, or in its column of a named row.
 */
export function findValue(page: Page, description: Description, wantedText?: string): Found {
  for (const readings of placedReadings(description)) {
    const shown = settle(
      search(page, { said: description.said, isQuoted: description.isQuoted, readings }),
      wantedText,
    );
    if (shown.kind === 'one') return named(shown.item);
    if (shown.kind === 'several') return shown;
  }
  return { kind: 'none' };
}

function search(page: Page, description: Description): Found {
  const cell = columnCell(page, description.readings);
  if (cell) return { kind: 'one', item: cell };
  const field = exactly(find(page, description, TO_SET), description);
  if (field) return field;
  const price = pricesFor(page, description);
  if (description.readings.some(({ near }) => near) && price.length > 0) return toFound(price);
  const found = bestMatches(page, description.readings, TO_SEE);
  if (found.length === 0) return toFound(price);
  const values = new Set(found.map((item) => (saysKind(description) ? item : valueOf(item, description))));
  return toFound([...values]);
}

const PRICE = /^(?:[$€£¥]|(?:USD|EUR|GBP|CHF)\b)\s?\d[\d.,' ]*$|^\d[\d.,' ]*\s?(?:[$€£¥]|(?:USD|EUR|GBP|CHF)\b)$/i;

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
  if (found.kind !== 'several') return found;
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

/** Finds "the Price of Trail Shoe": the cell in the column of one name and the row of the other. */
function columnCell(page: Page, readings: readonly Reading[]): Item | undefined {
  for (const { name, near } of readings) {
    if (name === undefined || !near) continue;
    const headers = page.items.filter((item) => item.role === 'columnheader' && levelOf(item, name) === 1);
    const rows = bestMatches(page, near.landmark, TO_SEE).flatMap((item) => rowOf(item) ?? []);
    const cells = headers.flatMap((header) => {
      const at = header.parent?.children.indexOf(header) ?? -1;
      return rows.flatMap((row) => (tableOf(row) === tableOf(header) ? (row.children[at] ?? []) : []));
    });
    const [cell] = cells;
    if (cell && new Set(cells).size === 1) return cell;
  }
  return undefined;
}

function rowOf(item: Item): Item | undefined {
  return item.role === 'row' ? item : item.parent && rowOf(item.parent);
}

function tableOf(item: Item): Item | undefined {
  return /^(?:table|grid|treegrid)$/.test(item.role) ? item : item.parent && tableOf(item.parent);
}
