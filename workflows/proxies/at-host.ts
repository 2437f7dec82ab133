import { HOST_PICKUP_MS } from '../../contracts/sessions/activity-limits';
import { engineActivities } from './activity-proxies';
import { HostGone, isNotPickedUp, isTransient, isWorkerGone } from './failures';

/**
 * Sends a task to any worker of a host, again while no worker takes it or the database is away, for as long as the step has
 * time. Between the attempts the host's row is checked: a host without heartbeats is gone (its workers, cut off from us, may
 * still hold a poll of the server).
 * A host that sends heartbeats gets `limitMs` for its workers to come back before the session goes on at another host.
 */
export async function onHost<T>(
  host: { sessionId: string; hostId: string },
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
      if (await engineActivities('ask for the host of the browser').isHostGone(host))
        throw new HostGone('The host of this browser does not answer and is silent.');
    }
  }
}
