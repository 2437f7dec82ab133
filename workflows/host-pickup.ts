import { HOST_PICKUP_MS, engineActivities } from './activity-proxies';
import { isNotPickedUp } from './attempts';

/**
 * Sends a task to any worker of a host. When none takes it, the host's row decides: silent as well, and the host is
 * gone; not silent, and its workers get the whole of `limitMs` to come back before the session goes on elsewhere.
 */
export async function onHost<T>(
  place: { sessionId: string; hostId: string },
  limitMs: number,
  send: () => Promise<T>,
): Promise<T> {
  for (let waitedMs = HOST_PICKUP_MS; ; waitedMs += HOST_PICKUP_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isNotPickedUp(error) || waitedMs >= limitMs) throw error;
      if (await engineActivities('ask for the host of the browser').isHostGone(place)) throw error;
    }
  }
}
