/** Returns the smallest value that at least `share` (0 to 1) of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

/** One line of a result. */
export interface Row {
  what: string;
  measured: string;
  compared?: string;
  goal?: string;
}

export function printTable(
  title: string,
  rows: readonly Row[],
  { measured = 'measured', compared = 'compared' }: { measured?: string; compared?: string } = {},
): void {
  const cells = [
    ['what', measured, compared, 'goal'],
    ...rows.map((row) => [row.what, row.measured, row.compared ?? '', row.goal ?? '']),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((line) => line[column]!.length)));
  console.log(`\n${title}`);
  for (const line of cells)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
