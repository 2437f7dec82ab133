import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { toPageLines } from './page-lines';
import { selectWithinBudget } from './page-budget';

/** Renders a snapshot as text, one line for each element, within `budget` characters. */
export function pageText(snapshot: PageSnapshot, budget: number, words: readonly string[] = []): string {
  const head = headOf(snapshot, Math.floor(budget / 4));
  const capacity = Math.max(0, budget - head.length - 1);
  return `${head}\n${selectWithinBudget(toPageLines(snapshot.nodes, words), capacity).join('\n')}`;
}

function headOf({ url, title, tabs }: PageSnapshot, capacity: number): string {
  const listed = tabs.map(
    (tab, index) => `- ${index + 1}${tab.isActive ? ' (this one)' : ''}: ${cut(tab.title, 60)} ${cut(tab.url, 100)}`,
  );
  const lines = [
    `address: ${cut(url, 300)}`,
    `title: ${cut(title, 200)}`,
    ...(tabs.length < 2 ? [] : ['tabs:', ...listed]),
  ];
  let used = 0;
  const kept = lines.filter((line) => (used += line.length + 1) <= capacity);
  const left = lines.length - kept.length;
  return [...kept, ...(left === 0 ? [] : [`(${left} more tabs)`])].join('\n');
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
