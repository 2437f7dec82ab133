import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import type { QueuePlace, QueuePositionInput } from '../../signatures/engine-activities';

/** A host without a heartbeat for so long does not count as capacity. */
const HEARD_WITHIN_MS = 10_000;

/**
 * Stores the session's request for a browser and publishes once that it waits. Returns its place; null when a host has taken
 * the request.
 */
export async function updateQueuePosition(
  store: Store,
  { sessionId, requestId, priority, since }: QueuePositionInput,
  runId: string,
): Promise<QueuePlace | null> {
  const position = await store.browserRequests.wait({ sessionId, requestId, priority, since: new Date(since) });
  if (position === null) return null;
  const { hosts, capacity, browsers } = await store.hosts.total(HEARD_WITHIN_MS);
  await store.log.append(
    sessionId,
    [
      {
        eventId: `${requestId}/waiting`,
        owner: 'executor-streamer',
        type: StreamEventType.SESSION_STATUS,
        at: new Date().toISOString(),
        data: {
          message: `Waiting for a browser, place ${position} in the queue: ${reasonFor({ hosts, capacity, browsers })}.`,
          details: { status: SessionStatus.ACTIVE, waitingFor: 'browser', queuePosition: position, capacity },
        },
      },
    ],
    { guard: { runId } },
  );
  return { position, ...(position <= capacity - browsers ? { isOverlooked: true } : {}) };
}

function reasonFor({ hosts, capacity, browsers }: Awaited<ReturnType<Store['hosts']['total']>>): string {
  if (hosts === 0) return 'no host is there to give one';
  const where = hosts === 1 ? 'one host' : `${hosts} hosts`;
  if (browsers >= capacity) return `all ${capacity} of ${where} are in use`;
  return `${browsers} of the ${capacity} of ${where} are in use, and no browser worker has taken the session yet`;
}
