import type { FrameStartedNavigating } from './cdp-events';

/**
 * The navigations of one Chrome's tabs that have no answer yet. Until it has one, Chrome holds back what any client says
 * to the page: a worker can't attach meanwhile, and nothing is wrong with the Chrome.
 */
export class Navigations {
  private readonly underWay = new Map<string, string>();
  private lastEndedAt: number | undefined;

  /** `mainFrame` is undefined for what is no page. Chrome also tells of one that began before this client was there. */
  started(session: string, mainFrame: string | undefined, event: FrameStartedNavigating): void {
    if (event.frameId !== mainFrame || event.navigationType.startsWith('sameDocument')) return;
    this.underWay.set(session, event.loaderId);
  }

  /** Its answer is here, it failed, or its document is; the request of a navigation has the id of its loader. */
  ended(session: string, loaderId: string): void {
    if (this.underWay.get(session) === loaderId) this.forget(session);
  }

  /** The page is gone, or its main frame loads nothing any more. */
  forget(session: string): void {
    if (this.underWay.delete(session)) this.lastEndedAt = performance.now();
  }

  isUnderWay(session: string): boolean {
    return this.underWay.has(session);
  }

  /** Since when no page waits for an answer: 0 while one does, null when none ever did. */
  quietForMs(): number | null {
    if (this.underWay.size > 0) return 0;
    return this.lastEndedAt === undefined ? null : Math.max(1, Math.round(performance.now() - this.lastEndedAt));
  }
}
