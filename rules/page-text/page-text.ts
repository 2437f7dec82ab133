import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { toPageLines, type Reach } from './page-lines';
import { selectWithinBudget } from './page-budget';
import { shortened } from '../../contracts/text';

/**
 * Renders a snapshot as text, one line for each element, within `budget` characters. `reach`: how its reader gets at what is
 * left out.
 */
export function pageText(
  snapshot: PageSnapshot,
  budget: number,
  words: readonly string[] = [],
  reach: Reach = 'selector',
): string {
  const head = headOf(snapshot, Math.floor(budget / 4));
  const capacity = Math.max(0, budget - head.length - 1);
  return `${head}\n${selectWithinBudget(toPageLines(snapshot.nodes, words, reach), capacity).join('\n')}`;
}

/** Most characters of a page, which no page has. */
const WHOLE_PAGE = 1_000_000;

/** Renders all of a snapshot, for the engine itself: nothing is left out. */
export function wholePageText(snapshot: PageSnapshot): string {
  return pageText(snapshot, WHOLE_PAGE);
}

function headOf({ url, title, tabs }: PageSnapshot, capacity: number): string {
  const listed = tabs.map(
    (tab, index) =>
      `- ${index + 1}${tab.isActive ? ' (this one)' : ''}: ${shortened(tab.title, 60)} ${shortened(tab.url, 100)}`,
  );
  const lines = [
    `address: ${shortened(url, 300)}`,
    `title: ${shortened(title, 200)}`,
    ...(tabs.length < 2 ? [] : ['tabs:', ...listed]),
  ];
  let used = 0;
  const kept = lines.filter((line) => (used += line.length + 1) <= capacity);
  const left = lines.length - kept.length;
  return [...kept, ...(left === 0 ? [] : [`(${left} more tabs)`])].join('\n');
}
