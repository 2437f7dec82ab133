import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import type { IdempotencyHeader } from '../../../contracts/browsers/keeper';
import { asWork } from '../../../runtime/current-work';
import { faultPoint } from '../../../runtime/fault-point';
import { DeedGuard } from '../deeds/deed-guard';
import type { CdpConnection } from './connection';
import type { RequestPaused } from './events';
import { headersWithKey } from './idempotency-header';
import { isSafe } from '../../../contracts/browsers/safe-methods';

const MOST_HABITS = 500;

/**
 * Holds requests of one Chrome before they leave: while a commit with an idempotency key is under way those to its origins,
 * while an approved deed is under way all of them. Otherwise Chrome pauses none. When this connection ends, Chrome continues
 * paused requests as they are.
 */
export class RequestInterception {
  /** Every target, with the main frame of a page. */
  private readonly sessions = new Map<string, string | undefined>();
  private guard: DeedGuard | undefined;
  /** Addresses that pages have sent something to while nothing was approved: reports, and what keeps a login alive. */
  private readonly habits = new Set<string>();

  constructor(
    private readonly connection: CdpConnection,
    private key: IdempotencyHeader | undefined,
    private readonly sessionId: () => string,
  ) {
    connection.on('Fetch.requestPaused', (event, session) => {
      const work = { name: 'judge a request', sessionId: this.sessionId() };
      void asWork(work, () => this.onPaused(event, session));
    });
  }

  /** Call it before the target starts, so that its first request is covered. */
  watch(session: string, mainFrame: string | undefined): void {
    this.sessions.set(session, mainFrame);
    if (this.isOn) void this.apply(session);
  }

  forget(session: string): void {
    this.sessions.delete(session);
  }

  noteSent({ method, url }: { method: string; url: string }): void {
    if (this.guard !== undefined || isSafe(method) || this.habits.size >= MOST_HABITS) return;
    this.habits.add(habitOf(method, url));
  }

  /** Resolves when all further requests carry the header, or none does. */
  async useKey(key: IdempotencyHeader | undefined): Promise<void> {
    this.key = key;
    await this.applyAll();
  }

  /** Resolves when all further requests are judged by the deed, or none is; to what became of the one before. */
  async useDeed(deed: ApprovedDeed | undefined): Promise<DeedReport | undefined> {
    const before = this.guard;
    this.guard = deed === undefined ? undefined : new DeedGuard(deed);
    await this.applyAll();
    return before?.end();
  }

  /** Of the approved command that is under way. */
  get deedGuard(): DeedGuard | undefined {
    return this.guard;
  }

  private get isOn(): boolean {
    return this.key !== undefined || this.guard !== undefined;
  }

  private async onPaused(event: RequestPaused, session: string | undefined): Promise<void> {
    const { requestId, request, resourceType, frameId, redirectedRequestId } = event;
    const mainFrame = session === undefined ? undefined : this.sessions.get(session);
    const given = {
      isNavigation: resourceType === 'Document',
      isOfMainFrame: frameId !== undefined && frameId === mainFrame,
      isRedirect: redirectedRequestId !== undefined,
      isHabit: !isSafe(request.method) && this.habits.has(habitOf(request.method, request.url)),
    };
    if (this.guard !== undefined) faultPoint('during-judgement', this.sessionId());
    // What can't be judged was not approved.
    const decision = await this.guard?.decide(request, given).catch(() => 'fail' as const);
    if (decision === 'fail') {
      // A navigation that is aborted leaves its page as it is.
      const errorReason = resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
      await this.send('Fetch.failRequest', session, { requestId, errorReason });
      return;
    }
    const headers = headersWithKey(event, this.key);
    // Rejects when the request was cancelled meanwhile.
    await this.send('Fetch.continueRequest', session, headers === undefined ? { requestId } : { requestId, headers });
  }

  private async applyAll(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((session) => this.apply(session)));
  }

  private apply(session: string): Promise<unknown> {
    if (!this.isOn) return this.send('Fetch.disable', session, {});
    const origins = this.key?.origins ?? [];
    const patterns = this.guard === undefined ? origins.map((origin) => `${origin}/*`) : ['*'];
    return this.send('Fetch.enable', session, { patterns: patterns.map((urlPattern) => ({ urlPattern })) });
  }

  private send(method: string, sessionId: string | undefined, params: object): Promise<unknown> {
    const target = sessionId === undefined ? {} : { sessionId };
    // A target that ends has no more requests.
    return this.connection.send(method, params, target).catch(() => undefined);
  }
}

function habitOf(method: string, url: string): string {
  const { origin, pathname } = new URL(url);
  return `${method} ${origin}${pathname}`;
}
