import { setTimeout as delay } from 'node:timers/promises';
import type { LogRecord } from '../../contracts/events/log';
import { ClientError, type Sessions } from '../port/port';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/**
 * Follows the log after `after`, record by record, to the end of the session. Waits during an outage of the database and
 * continues after the last record; `onOutage` is called once for each outage. Rejects when one lasts longer than `limitMs`.
 * Ends early, without an error, when the signal aborts.
 */
export async function* followWithRetry(
  sessions: Pick<Sessions, 'follow'>,
  sessionId: string,
  after: number,
  signal: AbortSignal,
  { limitMs = Infinity, onOutage = () => {} }: { limitMs?: number; onOutage?: () => void } = {},
): AsyncGenerator<LogRecord, void> {
  let last = after;
  let awaySince: number | undefined;
  const wait = createWait(signal);
  while (!signal.aborted) {
    try {
      for await (const records of sessions.follow(sessionId, last, signal)) {
        wait.reset();
        awaySince = undefined;
        for (const record of records) {
          last = record.seq;
          yield record;
        }
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) throw error;
      if (awaySince === undefined) onOutage();
      awaySince ??= performance.now();
      if (performance.now() - awaySince > limitMs) throw error;
      await wait.once();
    }
  }
}

/**
 * Repeats a call while it fails because of an outage, at the first of which `onOutage` is called. Rejects with any other error, or
 * when the signal aborts.
 */
export async function retryDuringOutage<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  onOutage: () => void = () => {},
): Promise<T> {
  const wait = createWait(signal);
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      if (failures === 0) onOutage();
      await wait.once();
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ClientError && error.kind === 'unavailable';
}

function createWait(signal: AbortSignal): { once(): Promise<void>; reset(): void } {
  let ms = FIRST_WAIT_MS;
  return {
    async once() {
      await delay(ms, undefined, { signal }).catch(() => {});
      ms = Math.min(ms * 2, LONGEST_WAIT_MS);
    },
    reset: () => void (ms = FIRST_WAIT_MS),
  };
}
