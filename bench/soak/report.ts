import { printTable } from '../harness/statistics';
import type { Sample } from './sample';
import type { Finding } from './evaluate';

const MB = 1024 * 1024;

/** Renders one sample as progress text. */
export function sampleLine({ sessions, atMs, processes, folders, bytes }: Sample): string {
  const kinds = Object.entries(processes).map(
    ([kind, { count, rssBytes, ownBytes, heapBytes, handles }]) =>
      `${kind} ${count} / ${(ownBytes / MB).toFixed(0)} of ${(rssBytes / MB).toFixed(0)} MB${heapBytes === undefined ? '' : `, heap ${(heapBytes / MB).toFixed(1)}`} / ${handles}`,
  );
  const disk = Object.entries(bytes).map(([part, size]) => `${part} ${(size / MB).toFixed(1)}`);
  return [
    `  ${sessions} sessions, ${(atMs / 60_000).toFixed(1)} min, ${folders} temporary folders`,
    `    processes / own memory of RSS / handles: ${kinds.join(', ')}`,
    `    MB on disk: ${disk.join(', ')}`,
  ].join('\n');
}

export function printFindings(title: string, findings: readonly Finding[]): void {
  printTable(
    title,
    findings.map(({ what, unit, atStart, afterWarmUp, atEnd, slopePer100, rule, isBroken }) => {
      const text = (value: number): string => (unit === '' ? String(value) : `${value.toFixed(1)} ${unit}`);
      return {
        what,
        measured: `${text(atStart)}, ${text(afterWarmUp)}, ${text(atEnd)}`,
        compared: `${slopePer100 < 0 ? '' : '+'}${slopePer100.toFixed(1)} ${unit}`.trimEnd(),
        goal: `${rule}${isBroken ? ': BROKEN' : ''}`,
      };
    }),
    { measured: 'start, warm, end', compared: 'per 100' },
  );
}
