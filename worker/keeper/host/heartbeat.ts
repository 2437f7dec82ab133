import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../runtime/process';
import { withinMs } from '../../../runtime/time-limit';
import type { HostRegistry } from './host-registry';

const HEARTBEAT_INTERVAL_MS = 1000;
const HEARTBEAT_LIMIT_MS = 5000;

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

  const beat = async () => {
    try {
      // A heartbeat that hangs is awaited again, not repeated.
      inFlight ??= registry.heartbeat(host()).finally(() => (inFlight = undefined));
      await withinMs(HEARTBEAT_LIMIT_MS, inFlight);
      if (isAway) logger.info('the database takes heartbeats again');
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn({ error: String(error) }, 'the database takes no heartbeats; trying again');
      isAway = true;
    }
  };
  const started = beat();
  const beating = started.then(async () => {
    while (!stopping.signal.aborted) {
      await delay(HEARTBEAT_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
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
