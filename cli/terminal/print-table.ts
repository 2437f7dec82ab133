import { fitted } from '../../contracts/text';
import { toTable } from './table';
import type { Terminal } from './terminal';

/** Prints a table whose lines are cut to the width of a terminal, and not in a file or a pipe. */
export function printTable(terminal: Terminal, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const width = process.stdout.isTTY ? terminal.columns : Infinity;
  for (const [index, line] of toTable(header, rows).entries())
    terminal.print(fitted(line, width), index === 0 ? 'strong' : 'plain');
}
