import { ancestors, isInside, type Item, type Page } from './page-index';
import { headingsOf } from './table-cells';

const CONTAINERS = new Set(
  'region group form article complementary main navigation tabpanel banner contentinfo dialog alertdialog radiogroup row list listitem table grid iframe search'.split(
    ' ',
  ),
);

/**
 * Selects the candidates near a landmark: inside it, in the section below a heading, or in the smallest part of the page
 * that contains both. A landmark whose part contains the part of another landmark is ignored: the breadcrumb "Trail Shoe",
 * where a table row is named "Trail Shoe".
 */
export function nearLandmarks(
  page: Page,
  candidates: readonly Item[],
  landmarks: readonly Item[],
  isWithin: boolean,
): Item[] {
  const groups = landmarks.flatMap((landmark) => {
    const part = sharedPart(candidates, landmark);
    return part ? [{ landmark, part }] : [];
  });
  const tightest = groups.filter(
    ({ part }) => !groups.some((other) => other.part !== part && isInside(other.part, part)),
  );
  const found = new Set(tightest.flatMap(({ landmark, part }) => closest(page, candidates, landmark, part, isWithin)));
  return candidates.filter((candidate) => found.has(candidate));
}

const ENTRY = /^(?:row|listitem|article|treeitem)$/;

function sharedPart(candidates: readonly Item[], landmark: Item): Item | undefined {
  for (const part of [landmark, ...ancestors(landmark)]) {
    if (candidates.some((candidate) => isInside(candidate, part))) return part;
    // What an entry does not have is not looked for in its neighbours.
    const neighbours = ENTRY.test(part.role)
      ? (part.parent?.children ?? []).filter(({ role }) => role === part.role)
      : [];
    if (neighbours.some((entry) => candidates.some((candidate) => isInside(candidate, entry)))) return undefined;
  }
  return undefined;
}

function closest(page: Page, candidates: readonly Item[], landmark: Item, part: Item, isWithin: boolean): Item[] {
  const inside = candidates.filter((candidate) => isInside(candidate, part));
  if (part === landmark || inside.length === 1) return inside;
  const inColumn = inside.filter((candidate) => isInColumn(page, candidate, landmark));
  if (inColumn.length > 0) return inColumn;
  const heading = headingOf(landmark);
  if (heading) {
    const end = sectionEnd(page, heading);
    const below = inside.filter((candidate) => candidate.index > heading.index && candidate.index < end);
    if (below.length > 0) return below;
  }
  if (isWithin && CONTAINERS.has(part.role)) return inside;
  // Among siblings a label precedes its control, a checkbox precedes its label.
  const distance = (candidate: Item): number => {
    const steps = candidate.index > landmark.index ? candidate.index - landmark.last : landmark.index - candidate.last;
    const isUsual = candidate.index > landmark.index !== (candidate.role === 'checkbox' || candidate.role === 'radio');
    return steps + (isUsual ? 0 : 0.5);
  };
  const smallest = Math.min(...inside.map(distance));
  return inside.filter((candidate) => distance(candidate) === smallest);
}

/** Whether a candidate stands in the column that the landmark heads. */
function isInColumn(page: Page, candidate: Item, landmark: Item): boolean {
  const head = [landmark, ...ancestors(landmark)].find(({ role }) => role === 'columnheader');
  const cell = [candidate, ...ancestors(candidate)].find(({ role }) => /^(?:cell|gridcell)$/.test(role));
  return head !== undefined && cell !== undefined && headingsOf(page, cell).includes(head.label);
}

function headingOf(item: Item): Item | undefined {
  if (item.role === 'heading') return item;
  for (const above of ancestors(item)) if (above.role === 'heading') return above;
  return undefined;
}

/** The end of a heading's section: the next heading of the same or a higher level. */
function sectionEnd(page: Page, heading: Item): number {
  const level = heading.node?.level ?? 0;
  const next = page.items.find(
    (item) => item.index > heading.index && item.role === 'heading' && (item.node?.level ?? 0) <= level,
  );
  return next?.index ?? page.items.length;
}
