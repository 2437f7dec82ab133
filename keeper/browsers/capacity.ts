import { availableParallelism } from 'node:os';
import { MAX_BROWSERS } from '../../runtime/settings/definitions';

/** What a Chrome with a usual page takes (190 to 250 MB were measured), with some air. */
const MEMORY_OF_A_BROWSER = 300 * 1024 * 1024;
/** A session waits for its model most of the time. */
const BROWSERS_OF_A_CORE = 8;

/** How many Chromes this host may have: as set, or what memory and cores allow beside those that run already. */
export function browserCapacity(set: number | undefined, running: number): number {
  const byMemory = running + Math.floor(process.availableMemory() / MEMORY_OF_A_BROWSER);
  const byCores = BROWSERS_OF_A_CORE * availableParallelism();
  return set ?? Math.max(1, Math.min(byMemory, byCores, MAX_BROWSERS));
}
