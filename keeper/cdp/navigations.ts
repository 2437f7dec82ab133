import type { FrameStartedNavigating } from './events';

/** So long a page that is only read is waited for: it can be opened again. */
const READ_PATIENCE_MS = 5000;

interface Navigation {
  loaderId: string;
  /** A GET: what it asks for can be asked for again. Of one that began before this keeper came that is not known. */
  isRead: boolean;
  since: number;
}

/**
 * The navigations of one Chrome's tabs that have no answer yet. Until it has one, Chrome holds back what any client says
 * to the page: a worker can't attach meanwhile, and nothing is wrong with the Chrome.
 */
export class Navigations {
  private readonly underWay = new Map<string, Navigation>();
  private lastEndedAt: number | undefined;

  /** `mainFrame` is undefined for what is no page. Chrome also tells of one that began before this client was there. */
  started(session: string, mainFrame: string | undefined, event: FrameStartedNavigating): void {
    if (event.frameId !== mainFrame || event.navigationType.startsWith('sameDocument')) return;
    this.underWay.set(session, { loaderId: event.loaderId, isRead: false, since: performance.now() });
  }

  /** The request of a navigation has the id of its loader, and keeps it over redirects. */
  requested(session: string, loaderId: string, method: string): void {
    if (this.underWay.get(session)?.loaderId === loaderId)
      this.underWay.set(session, { loaderId, isRead: method === 'GET', since: performance.now() });
  }

  /** Its answer is here, it failed, or its document is. */
  ended(session: string, loaderId: string): void {
    if (this.underWay.get(session)?.loaderId === loaderId) this.forget(session);
  }

  /** The page is gone, or its main frame loads nothing any more. */
  forget(session: string): void {
    if (this.underWay.delete(session)) this.lastEndedAt = performance.now();
  }

  isUnderWay(session: string): boolean {
    return this.underWay.has(session);
  }

  /** Since when there is no answer worth waiting for: 0 while there is one, null when there never was. */
  quietForMs(): number | null {
    const now = performance.now();
    const until = [...this.underWay.values()].map(({ isRead, since }) => (isRead ? since + READ_PATIENCE_MS : now));
    if (this.lastEndedAt !== undefined) until.push(this.lastEndedAt);
    if (until.length === 0) return null;
    const latest = Math.max(...until);
    return latest >= now ? 0 : Math.max(1, Math.round(now - latest));
  }
}
