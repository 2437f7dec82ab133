import type { Attachments } from '../activities/browser/attachments';
import type { Logger } from '../runtime/process';
import type { Store } from '../store/store';

const SWEEP_MS = 5000;

/** Ends the Chromes of sessions that have ended without giving them back: their workflow was terminated, or reset. */
export function startBrowserReaper({
  store,
  attachments,
  hostId,
  logger,
}: {
  store: Store;
  attachments: Attachments;
  hostId: string;
  logger: Logger;
}): { stop(): Promise<void> } {
  let isStopped = false;
  let wake: () => void = () => {};
  const running = (async () => {
    while (!isStopped) {
      try {
        for (const sessionId of await store.leases.ofClosedSessions(hostId)) {
          logger.info({ sessionId }, 'ending the browser of a session that has ended');
          await attachments.release(sessionId);
        }
      } catch (error) {
        logger.warn(
          { error: (error as Error).message },
          'browsers of ended sessions could not be looked for; trying again',
        );
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, SWEEP_MS).unref();
      });
    }
  })();
  return {
    async stop() {
      isStopped = true;
      wake();
      await running;
    },
  };
}
