import type { CDPSession, Page } from 'playwright';
import type { Attachment } from '../attach/attachment';

/** Its pictures are not shown, so they are as small as may be. */
const SMALLEST = { format: 'jpeg', quality: 1, maxWidth: 32, maxHeight: 32 } as const;

/** Notices whatever changes the look of a page. */
export interface Screencast {
  readonly page: Page;
  /** Resolves when something has changed since the last call. */
  changed(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts Chrome's screencast of a page, as a notifier alone: secrets in its frames could not be masked, because Chrome draws
 * them when it likes. Chrome sends more only once they are acknowledged, which is when somebody asks for changes. Without
 * DevTools nothing is noticed.
 */
export async function startScreencast({ hasDevTools }: Attachment, page: Page): Promise<Screencast> {
  if (!hasDevTools) return { page, changed: () => new Promise(() => {}), stop: async () => {} };
  const session: CDPSession = await page.context().newCDPSession(page);
  let unacknowledged: number[] = [];
  let notice: () => void = () => {};
  session.on('Page.screencastFrame', ({ sessionId }) => {
    unacknowledged.push(sessionId);
    notice();
  });
  await session.send('Page.startScreencast', SMALLEST);
  return {
    page,
    async changed() {
      const next = new Promise<void>((resolve) => (notice = resolve));
      const shown = unacknowledged;
      unacknowledged = [];
      for (const sessionId of shown) await session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
      await next;
    },
    stop: () => session.detach().catch(() => {}),
  };
}
