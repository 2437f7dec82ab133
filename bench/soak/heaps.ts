import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retryUntil } from '../chaos/retry-until';
import type { Harness } from '../harness';

/** What the processes of ours keep once nothing is left to collect. */
export interface Heaps {
  /** For the processes of the stage to be started with. */
  readonly env: NodeJS.ProcessEnv;
  /** Has every one collect, which also gives its unused memory back; resolves to bytes by pid. */
  collect(stage: Harness): Promise<Map<number, number>>;
  remove(): void;
}

/** Servers are not of ours, and not in Node. */
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
