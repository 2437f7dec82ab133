import type { FrameStartedNavigating } from './events';

/** Limit for waiting on a page that is only read: it can be opened again. */
const READ_PATIENCE_MS = 5000;

interface Navigation {
  loaderId: string;
  /** A GET, which can be repeated; unknown for a navigation that began before this keeper came. */
  isRead: boolean;
  since: number;
}

/**
 * The navigations of one Chrome's tabs that have no response yet. Until then Chrome holds back all commands to the
 * page: a worker can't attach, and nothing is wrong with the Chrome.
 */
export class Navigations {
  private readonly underWay = new Map<string, Navigation>();
  private lastEndedAt: number | undefined;

  /**
   * `mainFrame` is undefined for a target that is no page. Chrome also reports a navigation that began before this
   * client attached.
   */
  started(session: string, mainFrame: string | undefined, event: FrameStartedNavigating): void {
    if (event.frameId !== mainFrame || event.navigationType.startsWith('sameDocument')) return;
    this.underWay.set(session, { loaderId: event.loaderId, isRead: false, since: performance.now() });
  }

  /** A navigation's request has its loader's id, and keeps it over redirects. */
  requested(session: string, loaderId: string, method: string): void {
    if (this.underWay.get(session)?.loaderId === loaderId)
      this.underWay.set(session, { loaderId, isRead: method === 'GET', since: performance.now() });
  }

  /** The response has come, the navigation failed, or its document is loaded. */
  ended(session: string, loaderId: string): void {
    if (this.underWay.get(session)?.loaderId === loaderId) this.forget(session);
  }

  /** The page is gone, or its main frame stopped loading. */
  forget(session: string): void {
    if (this.underWay.delete(session)) this.lastEndedAt = performance.now();
  }

  isUnderWay(session: string): boolean {
    return this.underWay.has(session);
  }

  /** Milliseconds since a response was last worth waiting for; 0 while one is, null when none ever was. */
  quietForMs(): number | null {
    const now = performance.now();
    const until = [...this.underWay.values()].map(({ isRead, since }) => (isRead ? since + READ_PATIENCE_MS : now));
    if (this.lastEndedAt !== undefined) until.push(this.lastEndedAt);
    if (until.length === 0) return null;
    const latest = Math.max(...until);
    return latest >= now ? 0 : Math.max(1, Math.round(now - latest));
  }
}
