import { z } from 'zod';
import { retryUntil } from '../chaos/retry-until';
import { browsersFolder } from '../chaos/faults/targets';
import { listBrowserRecords } from '../../worker/keeper/chrome/browser-record';
import type { Harness } from '../harness/harness';
import { collectedHeap } from './collected-heap';
import { bytesByPart, temporaryFolders } from './disk';
import type { Heaps } from './heaps';
import { usageByKind, UsageSchema } from './processes';

/** What the stack uses while no session runs. */
export const SampleSchema = z.object({
  /** Number of ended sessions. */
  sessions: z.number(),
  atMs: z.number(),
  processes: z.record(z.string(), UsageSchema),
  folders: z.number(),
  bytes: z.record(z.string(), z.number()),
});
export type Sample = z.infer<typeof SampleSchema>;

/** The reaper runs every few seconds, for sessions that ended ten seconds ago. */
const QUIET_WITHIN_MS = 60_000;

export interface SamplePlace {
  harness: Harness;
  heaps: Heaps;
  /** TMPDIR of the harness. */
  temporary: string;
}

/** Waits until only the pool's Chrome runs, so that all samples are of the same state, and takes a sample. */
export async function takeSample(
  { harness, heaps, temporary }: SamplePlace,
  sessions: number,
  atMs: number,
): Promise<Sample> {
  await retryUntil('no Chrome but that of the pool', QUIET_WITHIN_MS, () => isQuiet(harness.home));
  const kept = await heaps.collect(harness);
  return {
    sessions,
    atMs,
    processes: usageByKind(harness, kept.set(process.pid, collectedHeap())),
    folders: temporaryFolders(harness, temporary),
    bytes: await bytesByPart(harness, temporary),
  };
}

function isQuiet(home: string): true | undefined {
  const markers = listBrowserRecords(browsersFolder(home));
  const isPoolFull = markers.length === 1 && markers[0]!.marker !== undefined;
  return isPoolFull && markers[0]!.marker!.sessionId === undefined ? true : undefined;
}
