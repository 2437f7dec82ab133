import type { BrowserDeps } from '../activities/browser/attach/browser-deps';
import { showLive } from '../activities/browser/pages/show-live';
import type { Subscription } from '../store/database/notifier';
import type { Logger } from '../runtime/process';

/** Shows the pages of the browsers that this worker has, to those who look at them. Nothing runs while nobody does. */
export function startLiveView(deps: BrowserDeps, logger: Logger): Subscription {
  const shown = new Map<string, Promise<void>>();
  const end = new AbortController();
  const subscription = deps.store.liveFrames.wanted.subscribe((sessionId) => {
    const attachment = deps.attachments.current(sessionId);
    if (attachment === undefined || shown.has(sessionId)) return;
    const showing = showLive(deps, sessionId, attachment, end.signal)
      .catch((error: unknown) => logger.debug({ sessionId, error: String(error) }, 'a live view has ended'))
      .finally(() => shown.delete(sessionId));
    shown.set(sessionId, showing);
  });
  return {
    async close() {
      end.abort();
      await subscription.close();
      await Promise.all(shown.values());
    },
  };
}
