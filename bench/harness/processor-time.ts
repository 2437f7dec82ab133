import { readFileSync } from 'node:fs';
import { processesOf } from './home-processes';

/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Seconds of processor time of all processes of a stack so far, with those that have ended and were waited for. */
export function processorSecondsOf(home: string): number {
  return processesOf(home).reduce((sum, { pid }) => sum + processorSeconds(String(pid)), 0);
}

/** The same of one process and its ended children; NaN where the system does not say. */
export function processorSeconds(pid = 'self'): number {
  return secondsIn(pid, 4) ?? (pid === 'self' ? Number.NaN : 0);
}

/** Seconds of processor time of a process alone; undefined where it has ended. */
export function ownProcessorSeconds(pid: number): number | undefined {
  return secondsIn(String(pid), 2);
}

/** Sums so many of the fields: user and system time of the process, then those of its ended children. */
function secondsIn(pid: string, fields: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields)
    .map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
}
