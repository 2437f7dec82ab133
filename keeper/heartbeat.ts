import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../runtime/process';
import type { HostRegistry } from './host-registry';

const BEAT_EVERY_MS = 1000;
const BEAT_LIMIT_MS = 5000;

interface Heartbeat {
  /** Resolves after the first attempt, whether the database accepted it or not. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the host's row fresh. While the database is away it continues, and logs that once. */
export function startHeartbeat(
  registry: HostRegistry,
  host: () => Parameters<HostRegistry['heartbeat']>[0],
  logger: Logger,
): Heartbeat {
  const stopping = new AbortController();
  let isAway = false;
  let inFlight: Promise<void> | undefined;

  // A heartbeat that hangs is awaited again, not repeated.
  const beatWithin = async (limitMs: number) => {
    const settled = new AbortController();
    inFlight ??= registry.heartbeat(host()).finally(() => (inFlight = undefined));
    const late = delay(limitMs, undefined, { signal: settled.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${limitMs} ms`);
    });
    await Promise.race([inFlight, late]).finally(() => settled.abort());
  };
  const beat = async () => {
    try {
      await beatWithin(BEAT_LIMIT_MS);
      if (isAway) logger.info('the database takes heartbeats again');
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn({ error: String(error) }, 'the database takes no heartbeats; trying on');
      isAway = true;
    }
  };
  const started = beat();
  const beating = started.then(async () => {
    while (!stopping.signal.aborted) {
      await delay(BEAT_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await beat();
    }
  });
  return {
    started,
    async stop() {
      stopping.abort();
      await beating;
    },
  };
}
