import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import type { QueuePositionInput } from '../engine-activities';

/** A host without a heartbeat for so long does not count as capacity. */
const HEARD_WITHIN_MS = 10_000;

/**
 * Stores the session's request for a browser and publishes once that it waits. Returns its position; null when a host
 * has taken the request.
 */
export async function updateQueuePosition(
  store: Store,
  { sessionId, requestId, priority, since }: QueuePositionInput,
  runId: string,
): Promise<number | null> {
  const position = await store.browserRequests.wait({ sessionId, requestId, priority, since: new Date(since) });
  if (position === null) return null;
  const { hosts, capacity } = await store.hosts.total(HEARD_WITHIN_MS);
  const reason =
    hosts === 0
      ? 'no host is there to give one'
      : `all ${capacity} of ${hosts === 1 ? 'one host' : `${hosts} hosts`} are in use`;
  await store.log.append(
    sessionId,
    [
      {
        eventId: `${requestId}/waiting`,
        owner: 'executor-streamer',
        type: StreamEventType.SESSION_STATUS,
        at: new Date().toISOString(),
        data: {
          message: `Waiting for a browser, place ${position} in the queue: ${reason}.`,
          details: { status: SessionStatus.ACTIVE, waitingFor: 'browser', queuePosition: position, capacity },
        },
      },
    ],
    { guard: { runId } },
  );
  return position;
}
