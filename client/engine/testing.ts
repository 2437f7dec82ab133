/**
 * `surefoot/testing`: a stack of its own for each test file, on free ports, with its data in a temporary folder. It needs
 * what `surefoot dev` needs, and downloads what is missing once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProcesses } from '../../cli/stack/processes';
import type { Reporter } from '../../cli/stack/reporting/reporter';
import { startStack } from '../../cli/stack/start-stack';

export interface TestStackOptions {
  /** Settings of its processes, beside the environment. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Gets one line for each thing that is started or downloaded. */
  onProgress?: ((line: string) => void) | undefined;
}

export interface TestStack {
  /** URL of the API. */
  api: string;
  /** URL of the demo shop, a site to try sessions on. */
  shop: string;
  databaseUrl: string;
  temporalAddress: string;
  /** Ends every process and removes the data. */
  stop(): Promise<void>;
}

/** Starts Temporal, PostgreSQL, Chromium and one process of each kind; takes about ten seconds. */
export async function startTestStack({ env = {}, onProgress = () => {} }: TestStackOptions = {}): Promise<TestStack> {
  const home = mkdtempSync(join(tmpdir(), 'surefoot-'));
  const reporter: Reporter = { step: onProgress, progress: onProgress, warn: onProgress };
  const stack = await startStack({
    home,
    reporter,
    ports: 'any',
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '', LOG_LEVEL: 'warn', ...env },
    processes: defaultProcesses().filter(({ name }) => !name.endsWith('-2')),
  });
  const { api, shop, databaseUrl, temporalAddress } = stack.addresses;
  return {
    api: api!,
    shop: shop!,
    databaseUrl,
    temporalAddress,
    async stop() {
      await stack.stop({ atOnce: true });
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
