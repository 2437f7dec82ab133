import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { AcquireInput, Lease } from '../../activities/signatures/browser-activities';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { pageAfter, type PageState } from '../../contracts/events/outbox';
import { tenantOf } from '../../contracts/sessions/workflow-facts';
import { applicationFailureOf, errorOf } from '../proxies/failures';
import { endingActivities, sharedBrowserActivities } from '../proxies/activity-proxies';
import { withRetries } from '../proxies/retries';
import type { RunningSession } from '../state/session-state';
import { ProfileLease } from './profile-lease';
import { SecretLeases } from './secret-leases';
import { BrowserQueue } from './browser-queue';

/** The browser as one run of the workflow hands it to the next. */
export interface ContinuedBrowser {
  lease?: Lease | undefined;
  /** Absent before anything was opened. */
  page?: PageState | undefined;
  /** The session has its profile. */
  hasProfile?: true | undefined;
  /** The session has its exclusive secrets. */
  hasSecrets?: true | undefined;
}

/**
 * The browser of the session: who drives it, which page it was last seen on, and when it is started, released and closed. Its
 * loss is met by run-batch.ts.
 */
export class SessionBrowser {
  private currentLease: Lease | undefined;
  private lastPage: PageState | undefined;
  private newestEpoch = 0;
  /** A browser that is being started ahead of its first use. */
  private acquiring: Promise<Lease> | undefined;
  private stopAcquiring: () => void = () => {};
  /** A longer wait releases the browser; 0 for never. */
  private releaseAfterMs = 0;
  /** The step during which the browser was released, until there is another one. */
  private releasedDuringStep: number | undefined;
  private replacements = 0;
  private readonly queue: BrowserQueue;
  private readonly profile: ProfileLease;
  private readonly secrets: SecretLeases;

  constructor(
    private readonly session: RunningSession,
    { lease, page, hasProfile, hasSecrets }: ContinuedBrowser = {},
  ) {
    this.queue = new BrowserQueue(session);
    this.profile = new ProfileLease(session, hasProfile);
    this.secrets = new SecretLeases(session, hasSecrets);
    this.currentLease = lease;
    this.newestEpoch = lease?.epoch ?? 0;
    this.lastPage = page;
  }

  opened({ pauseReleaseMs = 0 }: { pauseReleaseMs?: number | undefined }): void {
    this.releaseAfterMs = pauseReleaseMs;
  }

  get lease(): Lease | undefined {
    return this.currentLease;
  }

  /** The page as it was last seen. */
  get page(): PageState | undefined {
    return this.lastPage;
  }

  get isReleased(): boolean {
    return this.releasedDuringStep !== undefined;
  }

  /** Of the newest lease that was ever reported; 0 before the first. */
  get knownEpoch(): number {
    return this.newestEpoch;
  }

  /** How often the page was replaced by a restored one that differs: what was decided before was decided for the old one. */
  get pageReplacements(): number {
    return this.replacements;
  }

  /** A worker that has run a batch returns the lease as it is now. */
  setLease(lease: Lease): void {
    this.currentLease = lease;
    this.newestEpoch = Math.max(this.newestEpoch, lease.epoch);
  }

  forgetLease(): void {
    this.currentLease = undefined;
  }

  setPage(page: PageState): PageState {
    this.lastPage = pageAfter(this.lastPage, page);
    return this.lastPage;
  }

  /** Starts a browser while the model is called for the first time; the first batch waits for it. */
  acquireAhead(returning?: AcquireInput['returning']): void {
    const scope = new CancellationScope({ cancellable: true });
    this.acquiring = scope.run(() => this.request({ returning }));
    this.stopAcquiring = () => scope.cancel();
    // A failure is thrown where the browser is needed.
    this.acquiring.catch(() => {});
  }

  async acquire(lost: AcquireInput['lost']): Promise<Lease> {
    const acquiring = this.acquiring ?? this.request({ lost });
    // Begun outside of the step, so that the step's end does not cancel it.
    const lease = await Promise.race([acquiring, CancellationScope.current().cancelRequested]).catch(
      (error: unknown) => {
        if (!isCancellation(error)) this.acquiring = undefined;
        throw error;
      },
    );
    this.acquiring = undefined;
    return lease;
  }

  /**
   * Waits while `isWaiting`. A wait that lasts releases the browser, and one that is known to last does so at once: its
   * checkpoint is written first, then it ends.
   */
  async waitWhile(isWaiting: () => boolean, { isKnownToLast = false } = {}): Promise<void> {
    const isOver = (): boolean => !isWaiting();
    let isAtOnce = isKnownToLast;
    // A browser that can't be released now is kept, and released after twice the time.
    for (let patienceMs = this.releaseAfterMs; patienceMs > 0; patienceMs *= 2) {
      if (this.lease === undefined && this.acquiring === undefined) break;
      const summary = 'release the browser if the pause lasts';
      if (isAtOnce ? isOver() : await condition(isOver, patienceMs, { summary })) return;
      isAtOnce = false;
      // A browser that is being started is waited for: nobody would end it if it were given up.
      if (this.acquiring !== undefined) await Promise.race([this.takeAcquired().catch(() => {}), condition(isOver)]);
      if (isOver()) return;
      // In one piece, so that whatever comes meanwhile finds a browser or none, never half of one.
      await CancellationScope.nonCancellable(() => this.release());
    }
    await condition(isOver);
  }

  /** Gets another browser for the one that was released, before anything is decided for its page. */
  async restore(isPauseRequested: () => boolean = () => false): Promise<void> {
    if (this.releasedDuringStep === undefined) return;
    if (this.acquiring === undefined) this.acquireAhead({ stepIndex: this.releasedDuringStep });
    await Promise.race([this.takeAcquired(), condition(isPauseRequested)]);
  }

  /** Saves what explains a failed step, where its worker still has the page. Undefined without a browser. */
  async captureFailure(stepIndex: number): Promise<PageState | undefined> {
    const { lease, session } = this;
    if (lease === undefined) return undefined;
    const activities = endingActivities(lease, 'worker', session.limitValues);
    return await activities.captureFailure({ sessionId: session.id, stepIndex, lease });
  }

  /** For the next run of the workflow, which would ask for another browser while nobody ends the one being started. */
  async toContinued(): Promise<ContinuedBrowser> {
    this.currentLease ??= await this.acquiring?.catch(() => undefined);
    return {
      lease: this.lease,
      ...(this.page === undefined ? {} : { page: this.page }),
      ...(this.profile.toContinued() ? { hasProfile: true } : {}),
      ...(this.secrets.toContinued() ? { hasSecrets: true } : {}),
    };
  }

  /** Ends the browser. What a host that does not answer still has is ended by its keeper's successor. */
  async close(): Promise<void> {
    // One that is being started is given up; its host ends it when it sees that the session has ended.
    this.stopAcquiring();
    this.currentLease ??= await this.acquiring?.catch(() => undefined);
    const { lease, session } = this;
    if (lease === undefined) return;
    const input = { sessionId: session.id, lease, ...(this.profile.isDeclared ? { keepsState: true as const } : {}) };
    await this.onWorkerOrHost(lease, (activities) => activities.closeBrowser(input)).catch(() => {});
  }

  private async request({ lost, returning }: Pick<AcquireInput, 'lost' | 'returning'>): Promise<Lease> {
    const { id: sessionId, config } = this.session;
    const { timeouts, executor } = config;
    // No await without them: it would change the order of the workflow's commands.
    if (this.secrets.isWanted) await this.secrets.acquire();
    if (this.profile.isWanted) await this.profile.acquire();
    return await this.queue.wait(lost !== undefined, (requestId, priority) =>
      withRetries(timeouts, () =>
        this.session.outbox.withRecovery(() =>
          sharedBrowserActivities(this.session.limitValues, priority).acquireBrowser({
            sessionId,
            knownEpoch: this.knownEpoch,
            headless: executor.headless,
            ...(executor.browserType === 'chromium' ? {} : { browserType: executor.browserType }),
            ...(executor.isolation === undefined ? {} : { sharedBy: tenantOf(this.session.start) }),
            connectionTimeoutMs: timeouts.connectionTimeoutMs,
            ...(executor.network === undefined ? {} : { network: executor.network }),
            requestId,
            ...(lost === undefined ? {} : { lost }),
            ...(returning === undefined ? {} : { returning }),
          }),
        ),
      ),
    );
  }

  private async release(): Promise<void> {
    const { lease, session } = this;
    if (lease === undefined) return;
    // A conversation that waits is behind its last step.
    const stepIndex = session.steps.lastIndex;
    try {
      const input = { sessionId: session.id, stepIndex, lease };
      await this.onWorkerOrHost(lease, (activities) => activities.releaseBrowser(input));
      this.report('The wait lasts: the browser was released. The next one gets what it knew.', 'given-back');
    } catch (error) {
      if (applicationFailureOf(error)?.type !== BROWSER_GONE) {
        const { message } = errorOf(error, 'EX001');
        this.report(`The wait lasts, but the browser could not be released now and is kept: ${message}`, 'kept');
        return await session.publish('the browser is kept');
      }
      this.report('The browser was lost during the pause. The next one gets what was kept of it.', 'lost');
    }
    this.currentLease = undefined;
    this.releasedDuringStep = stepIndex;
    await session.publish('the browser was released');
  }

  private async takeAcquired(): Promise<void> {
    const { acquiring } = this;
    try {
      const lease = await acquiring;
      if (lease === undefined || this.acquiring !== acquiring) return;
      this.currentLease = lease;
      this.acquiring = undefined;
      if (this.releasedDuringStep === undefined) return;
      this.releasedDuringStep = undefined;
      if (lease.isPageChanged === false) {
        this.report('Another browser has the page as it was left.', 'same-page');
        return;
      }
    } catch (error) {
      // Whoever needs one next begins anew.
      if (this.acquiring === acquiring) this.acquiring = undefined;
      throw error;
    }
    this.replacements += 1;
    this.report(
      'Another browser has what was kept; the page is not as it was left and is looked at anew.',
      'changed-page',
    );
  }

  private async onWorkerOrHost(
    lease: Lease,
    send: (activities: ReturnType<typeof endingActivities>) => Promise<void>,
  ): Promise<void> {
    const { limitValues } = this.session;
    await send(endingActivities(lease, 'worker', limitValues)).catch(() =>
      send(endingActivities(lease, 'host', limitValues)),
    );
  }

  private report(message: string, browser: string): void {
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
      message,
      details: { status: this.session.status, browser },
    });
  }
}
