import { HOST_PICKUP_MS, engineActivities } from './activity-proxies';
import { HostGone, isNotPickedUp, isTransient, isWorkerGone } from './failures';

/**
 * Sends a task to any worker of a host, again and again while that fails for want of a worker. Between the tries the
 * host's row decides: a host that is silent as well is gone (its workers, cut off, may still hold a poll of the server).
 * One that beats gets `limitMs` for its workers to come back before the session goes on elsewhere.
 */
export async function onHost<T>(
  place: { sessionId: string; hostId: string },
  limitMs: number,
  send: () => Promise<T>,
): Promise<T> {
  let waitedMs = 0;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isWorkerGone(error) && !isTransient(error)) throw error;
      if (isNotPickedUp(error)) waitedMs += HOST_PICKUP_MS;
      if (waitedMs >= limitMs) throw error;
      if (await engineActivities('ask for the host of the browser').isHostGone(place))
        throw new HostGone('The host of this browser does not answer and is silent.');
    }
  }
}
