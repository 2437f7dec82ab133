import { driveTakeover } from '../activities/browser/takeover/drive-takeover';
import type { BrowserDeps } from '../activities/browser/attach/browser-deps';
import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';

const PAUSE_MS = 1000;
/** Longer than an act may take: a worker that has the browser and does nothing for so long may be dead. */
const PATIENCE_MS = 6000;

interface TakeoverOptions {
  hostId: string;
  workerId: string;
  /** A takeover in which nothing is done for so long is ended. */
  limitMs: number;
  /** A dialog waits for the person so long. */
  dialogMs: number;
  logger: Logger;
}

/** Does what persons ask for at browsers of this host: at those of this worker at once, at those of a dead one after a moment. */
export function startTakeovers(
  deps: BrowserDeps,
  { hostId, workerId, limitMs, dialogMs, logger }: TakeoverOptions,
): Sweep {
  const { store, attachments } = deps;
  const ending = new AbortController();
  const driven = new Map<string, Promise<void>>();
  const drive = (sessionId: string): void => {
    if (driven.has(sessionId) || attachments.isEnding()) return;
    const driving = driveTakeover(deps, sessionId, dialogMs, ending.signal)
      .catch((error: unknown) =>
        logger.warn({ sessionId, error: String(error) }, 'a takeover was interrupted; retrying'),
      )
      .finally(() => driven.delete(sessionId));
    driven.set(sessionId, driving);
  };
  const subscription = store.takeovers.notifier.subscribe((sessionId) => {
    if (attachments.current(sessionId) !== undefined) drive(sessionId);
  });
  const sweep = startSweep(
    PAUSE_MS,
    async () => {
      for (const due of await store.takeovers.due(hostId, limitMs))
        if (due.workerId === workerId || due.waitingForMs > PATIENCE_MS) drive(due.sessionId);
    },
    ({ message }) => logger.debug({ error: message }, 'takeovers could not be listed; retrying'),
  );
  return {
    async stop() {
      ending.abort();
      await Promise.all([sweep.stop(), subscription.close()]);
      await Promise.all(driven.values());
    },
  };
}
