import type { Recipe } from '../../contracts/recipes/recipe';
import { roundLines } from './recipe-text';

interface DiffLine {
  text: string;
  kind: 'same' | 'added' | 'removed';
}

/** What changed from one version to another, line by line: `-` was there, `+` is new. */
export function recipeDiff(before: Recipe, after: Recipe): DiffLine[] {
  const { recipeId, key } = after;
  const lines = compare(roundLines(before), roundLines(after));
  const hasChanged = lines.some(({ kind }) => kind !== 'same');
  return [
    { text: `${recipeId}: ${key.instruction}`, kind: 'same' },
    { text: `- version ${before.version}, ${before.status}, ${originOf(before)}`, kind: 'removed' },
    { text: `+ version ${after.version}, ${after.status}, ${originOf(after)}`, kind: 'added' },
    ...(hasChanged ? lines : [{ text: 'They do the same.', kind: 'same' } as const]),
  ];
}

function originOf({ source: { sessionId, stepIndex } }: Recipe): string {
  return `from step ${stepIndex + 1} of ${sessionId}`;
}

/** The longest common sequence of lines stays; recipes are short. */
function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const common = before.map(() => after.map(() => 0));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row]![column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && before[row] === after[column]) {
      lines.push({ text: `  ${before[row]}`.trimEnd(), kind: 'same' });
      row++;
      column++;
    } else if (row < before.length && (column === after.length || at(row + 1, column) >= at(row, column + 1)))
      lines.push({ text: `- ${before[row++]}`.trimEnd(), kind: 'removed' });
    else lines.push({ text: `+ ${after[column++]}`.trimEnd(), kind: 'added' });
  }
  return lines;
}
