import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retryUntil } from '../chaos/retry-until';
import type { Harness } from '../harness/harness';

/** Measures the live heap of our processes after a full garbage collection. */
export interface Heaps {
  /** The environment to start the processes with. */
  readonly env: NodeJS.ProcessEnv;
  /** Makes every process collect garbage and return unused memory; resolves to bytes by pid. */
  collect(harness: Harness): Promise<Map<number, number>>;
  remove(): void;
}

/** These servers do not run in Node. */
const SERVERS = ['postgres', 'temporal'];
const COLLECTED_WITHIN_MS = 30_000;

export function openHeaps(): Heaps {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-soak-heaps-'));
  return {
    env: { NODE_OPTIONS: `--require ${JSON.stringify(require.resolve('./preload'))}`, SUREFOOT_SOAK_HEAPS: folder },
    async collect({ stack }) {
      const pids = stack.processes().flatMap(({ name, pid }) => (SERVERS.includes(name) ? [] : [pid]));
      for (const pid of pids) rmSync(join(folder, String(pid)), { force: true });
      for (const pid of pids) process.kill(pid, 'SIGUSR2');
      const found = new Map<number, number>();
      for (const pid of pids)
        found.set(
          pid,
          await retryUntil(`the heap of process ${pid}`, COLLECTED_WITHIN_MS, () =>
            Number(readFileSync(join(folder, String(pid)), 'utf8')),
          ),
        );
      return found;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
