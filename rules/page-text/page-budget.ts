import type { PageLine } from './page-lines';

/** The most characters of a note, without its indent. */
const NOTE = 44;
/** The deepest indent of a note. */
const DEEPEST_INDENT = 10;

/**
 * Selects the most relevant lines that fit into `capacity` characters, each with its ancestors, in the order of the page.
 * Notes count the omitted lines.
 */
export function selectWithinBudget(lines: readonly PageLine[], capacity: number): string[] {
  if (sizeOf(lines.map(({ text }) => text)) <= capacity) return lines.map(({ text }) => text);
  // By relevance, and among equals in the order of the page.
  const order = lines
    .map((_, index) => index)
    .sort((one, other) => lines[other]!.relevance - lines[one]!.relevance || one - other);
  for (let share = 1; share > 0.05; share *= 0.85) {
    const rendered = renderSelected(lines, selectLines(lines, order, capacity * share));
    if (sizeOf(rendered) <= capacity) return rendered;
  }
  const note = `(${lines.length} lines of this page are left out)`;
  return note.length + 1 <= capacity ? [note] : [];
}

function selectLines(lines: readonly PageLine[], order: readonly number[], capacity: number): boolean[] {
  const isKept = lines.map(() => false);
  let left = capacity;
  let misses = 0;
  for (const index of order) {
    const missing: number[] = [];
    for (let line = index; line !== -1 && !isKept[line]; line = lines[line]!.parent) missing.push(line);
    const cost = missing.reduce((sum, line) => sum + lines[line]!.text.length + 1, 0);
    if (missing.length === 0) continue;
    if (cost > left) {
      // A shorter line may still fit.
      if ((misses += 1) > 200) break;
      continue;
    }
    for (const line of missing) isKept[line] = true;
    left -= cost;
  }
  return isKept;
}

/** Renders the kept lines, and last how many controls are not among them. */
function renderSelected(lines: readonly PageLine[], isKept: readonly boolean[]): string[] {
  const rendered = render(lines, isKept);
  const left = lines.filter(({ isControl }, index) => isControl && !isKept[index]).length;
  if (left === 0) return rendered;
  const note = left === 1 ? '1 control is left out' : `${left} controls are left out`;
  return [...rendered, `- (${note}: find it by words, or read the page with more characters)`];
}

/** Renders the kept lines, and one note for the omitted lines between two of them. */
function render(lines: readonly PageLine[], isKept: readonly boolean[]): string[] {
  const rendered: string[] = [];
  for (let start = 0; start < lines.length;) {
    if (isKept[start]) {
      rendered.push(lines[start]!.text);
      start += 1;
      continue;
    }
    let end = start;
    while (end < lines.length && !isKept[end]) end += 1;
    rendered.push(noteOf(lines.slice(start, end)));
    start = end;
  }
  return rendered;
}

function noteOf(left: readonly PageLine[]): string {
  const depth = left.reduce((least, line) => Math.min(least, line.depth), Infinity);
  const top = left.filter((line) => line.depth === depth);
  const isOneKind = top.every(({ kind: what }) => what === top[0]!.kind);
  const role = isOneKind ? `${top[0]!.kind.slice(0, 16)}${top.length === 1 ? '' : 's'}` : 'different parts';
  return `${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}- (${top.length} more ${role} left out)`.slice(
    0,
    NOTE + 2 * DEEPEST_INDENT,
  );
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + line.length + 1, 0);
}
