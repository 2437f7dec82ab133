import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../../../runtime/process';
import type { ChromeSandbox } from '../chrome/sandbox';
import type { Egress } from '../egress/egress';
import { startBrowser } from './start-browser';
import type { KeptBrowser } from './kept-browser';

/** Started, unused Chromes, so that a session need not wait for one to start. */
export interface Pool {
  /** Takes a Chrome; undefined when the pool is empty. */
  take(): KeptBrowser | undefined;
  size(): number;
  /** Refills the pool, if there is capacity. */
  refill(): void;
  /** Ends the unused Chromes, which hold nothing worth keeping. */
  stop(): Promise<void>;
}

interface PoolOptions {
  root: string;
  chromiumPath: string;
  sandbox?: ChromeSandbox | undefined;
  /** How many to hold ready; 0 for no pool. All are headless. */
  size: number;
  /** False while the host has no capacity for an unused Chrome. */
  mayStart: () => boolean;
  egress: Egress;
  logger: Logger;
}

/** The refill starts some time after a take, so that it does not slow down the session's first page. */
const REFILL_AFTER_MS = 1000;
const RETRY_AFTER_MS = 30_000;

export function createPool({ root, chromiumPath, sandbox, size, mayStart, egress, logger }: PoolOptions): Pool {
  const ready = new Set<KeptBrowser>();
  let filling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const addOne = async () => {
    const folder = join(root, `pool-${randomUUID()}`);
    const browser = await startBrowser({ chromiumPath, sandbox, folder, headless: true, egress });
    ready.add(browser);
    void browser.gone.then(async () => {
      // A session's browser belongs to the registry.
      if (!ready.delete(browser)) return;
      await browser.end();
      fillAfter(REFILL_AFTER_MS);
    });
  };
  const fill = async () => {
    while (!isStopped && ready.size < size && mayStart()) await addOne();
  };
  const fillAfter = (delayMs: number) => {
    clearTimeout(timer);
    if (isStopped || size === 0) return;
    timer = setTimeout(() => {
      filling ??= fill()
        .catch((error: unknown) => {
          logger.warn({ error: String(error) }, 'no Chrome could be started for the pool; sessions start their own');
          fillAfter(RETRY_AFTER_MS);
        })
        .finally(() => (filling = undefined));
    }, delayMs);
    timer.unref();
  };
  fillAfter(0);

  return {
    size: () => ready.size,
    refill: () => fillAfter(REFILL_AFTER_MS),
    take() {
      const [browser] = ready;
      if (browser === undefined) return undefined;
      ready.delete(browser);
      fillAfter(REFILL_AFTER_MS);
      return browser;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await filling;
      await Promise.all([...ready].map((browser) => browser.end()));
      ready.clear();
    },
  };
}
