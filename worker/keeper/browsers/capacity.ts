import { availableParallelism } from 'node:os';
import { MAX_BROWSERS } from '../../../runtime/settings/host-definitions';

/** Memory of a Chrome with an average page (190 to 250 MB were measured), with a reserve. */
const MEMORY_OF_A_BROWSER = 300 * 1024 * 1024;
/** A session waits for its model most of the time. */
const BROWSERS_OF_A_CORE = 8;

/** How many browsers of this host start at once: more would start no sooner, and keep its other processes waiting. */
export function startsAtOnce(): number {
  return Math.max(2, availableParallelism());
}

/** The capacity of this host: as set, or what memory and cores allow beside running Chromes. */
export function browserCapacity(set: number | undefined, running: number): number {
  const byMemory = running + Math.floor(process.availableMemory() / MEMORY_OF_A_BROWSER);
  const byCores = BROWSERS_OF_A_CORE * availableParallelism();
  return set ?? Math.max(1, Math.min(byMemory, byCores, MAX_BROWSERS));
}
