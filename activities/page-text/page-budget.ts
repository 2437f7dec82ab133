import type { PageLine } from './page-lines';

/** A note of what is left out is no longer than this, indent aside. */
const NOTE = 44;
/** Deeper than this a note is not indented any further. */
const DEEPEST_INDENT = 10;

/**
 * The lines there is room for: those that are worth most, each with the lines it stands under, in the order of the page,
 * and where others were left out how many of what. Whatever the page is, they fit.
 */
export function selectWithinBudget(lines: readonly PageLine[], room: number): string[] {
  if (sizeOf(lines.map(({ text }) => text)) <= room) return lines.map(({ text }) => text);
  // By worth, and among equals from the top of the page.
  const order = lines
    .map((_, index) => index)
    .sort((one, other) => lines[other]!.relevance - lines[one]!.relevance || one - other);
  for (let share = 1; share > 0.05; share *= 0.85) {
    const told = render(lines, kept(lines, order, room * share));
    if (sizeOf(told) <= room) return told;
  }
  const note = `(${lines.length} lines of this page are left out)`;
  return note.length + 1 <= room ? [note] : [];
}

function kept(lines: readonly PageLine[], order: readonly number[], room: number): boolean[] {
  const isKept = lines.map(() => false);
  let left = room;
  let misses = 0;
  for (const index of order) {
    const missing: number[] = [];
    for (let line = index; line !== -1 && !isKept[line]; line = lines[line]!.parent) missing.push(line);
    const cost = missing.reduce((sum, line) => sum + lines[line]!.text.length + 1, 0);
    if (missing.length === 0) continue;
    if (cost > left) {
      // A long one may not fit where many short ones still do.
      if ((misses += 1) > 200) break;
      continue;
    }
    for (const line of missing) isKept[line] = true;
    left -= cost;
  }
  return isKept;
}

/** What is left out between two lines that stay is told in one note, at the depth of the highest of it. */
function render(lines: readonly PageLine[], isKept: readonly boolean[]): string[] {
  const told: string[] = [];
  for (let start = 0; start < lines.length;) {
    if (isKept[start]) {
      told.push(lines[start]!.text);
      start += 1;
      continue;
    }
    let end = start;
    while (end < lines.length && !isKept[end]) end += 1;
    told.push(noteOf(lines.slice(start, end)));
    start = end;
  }
  return told;
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
