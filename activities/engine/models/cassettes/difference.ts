import type { Recording } from './folder';
import { shortened } from '../../../../contracts/text';

const MOST_LINES = 6;
const LONGEST_LINE = 160;

interface Difference {
  name: string;
  missing: string[];
  added: string[];
}

/** Describes how a request differs from the most similar recording, with the first lines of each side. */
export function describeNearest(lines: readonly string[], recordings: ReadonlyMap<string, Recording>): string {
  const differences = [...recordings].map(([name, { request }]) => ({
    name,
    missing: without(request, lines),
    added: without(lines, request),
  }));
  const size = ({ missing, added }: Difference): number => missing.length + added.length;
  const [nearest] = differences.sort((one, other) => size(one) - size(other));
  if (nearest === undefined) return 'There are no recordings.';
  const shown = [...cutList(nearest.missing, '-'), ...cutList(nearest.added, '+')];
  return `The nearest, ${nearest.name}, differs in ${size(nearest)} lines (- recorded, + requested):\n${shown.join('\n')}`;
}

/** The lines that the other list lacks, each as often as it lacks them. */
function without(lines: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function cutList(lines: readonly string[], sign: string): string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `${sign} ${shortened(line, LONGEST_LINE)}`);
  return lines.length > MOST_LINES ? [...shown, `${sign} (${lines.length - MOST_LINES} more)`] : shown;
}
