import { setTimeout as sleep } from 'node:timers/promises';
import type { LogRecord } from '../../../contracts/events/log';
import type { HarnessClient } from '../../harness/harness';
import { viewSession } from '../load/viewer';
import { seededRandom } from '../random';
import { retryUntil } from '../retry-until';
import type { SeenMeanwhile } from './scenario';

/** The newest events that are kept of the session once it has ended. */
export const KEPT_EVENTS = 5;
/** So few that the cut lies beyond them. */
const READ_AT_FIRST = 3;
const SESSION_LIMIT_MS = 300_000;
const CUT_WITHIN_MS = 60_000;
const BACK_AFTER_MS = 100;

/** Reads the first events of a session, and the rest when its history was cut. */
export async function comeBackTooLate(
  { api, store, temporal }: Pick<HarnessClient, 'api' | 'store' | 'temporal'>,
  sessionId: string,
): Promise<SeenMeanwhile> {
  const limit = AbortSignal.timeout(SESSION_LIMIT_MS);
  const cut = Promise.withResolvers<void>();
  const url = `${api}/v1/sessions/${sessionId}/events`;
  const reading = viewSession(url, seededRandom(1), limit, {
    stay: READ_AT_FIRST,
    comeBack: () => Promise.race([cut.promise.then(() => sleep(BACK_AFTER_MS)), aborted(limit)]),
  });
  const log: LogRecord[] = [];
  for await (const records of store.log.follow(sessionId, 0, limit)) log.push(...records);
  if (limit.aborted) {
    const pending = await pendingActivities(temporal, sessionId);
    throw new Error(
      `Session ${sessionId} is open after ${SESSION_LIMIT_MS / 1000} s; ${lastOf(log)}. Pending: ${pending}.`,
    );
  }
  // The engine workers do the same once a minute.
  await retryUntil(`the history is cut, of which ${lastOf(log)}`, CUT_WITHIN_MS, async () => {
    await store.retention.trimHistories();
    return (await store.sessions.get(sessionId))!.firstSeq > 1 ? true : undefined;
  });
  cut.resolve();
  const viewing = await reading;
  const breaches =
    viewing.cuts.length === 1 ? [] : [`the slow reader learnt of ${viewing.cuts.length} cuts, not of one`];
  return { viewings: [viewing], log, breaches };
}

/** What Temporal knows of the activities that the session waits for. */
async function pendingActivities(temporal: HarnessClient['temporal'], sessionId: string): Promise<string> {
  const { raw } = await temporal.workflow.getHandle(sessionId).describe();
  const pending = (raw.pendingActivities ?? []).map(({ activityType, state, attempt, lastFailure }) =>
    JSON.stringify({ activity: activityType?.name, state, attempt, failure: lastFailure?.message }),
  );
  return pending.join(', ') || 'nothing';
}

function lastOf(log: readonly LogRecord[]): string {
  return `the last of ${log.length} events is ${JSON.stringify(log.at(-1))}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
