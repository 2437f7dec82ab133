import { randomUUID } from 'node:crypto';
import { VIEWPORT } from '../../../contracts/browsers/viewport';
import type { Browser, BrowserContext, CDPSession, Frame, Page } from 'playwright';
import type { BrowserType } from '../../../contracts/browsers/browser-type';
import type { BrowserAccess } from '../../../contracts/browsers/keeper';
import type { Checkpoint } from '../../../store/browsers/checkpoints';
import { withinMs } from '../../../runtime/time-limit';
import { connectToChrome, connectToServer, openContext, targetIdOf, unreachableError } from './connect';
import type { Downloads } from './downloads';
import { FilledFields } from './filled-fields';
import type { Passkeys } from './passkeys';
import type { PageWatch } from './page-watch';
import { noDevToolsError } from './playwright-errors';
import { StepTrace } from './step-trace';

const DISCONNECT_MS = 250;
const ANSWER_MS = 1000;
/** The first page of a tab that `inOtherTab` has opened. */
const OTHER_TAB = 'about:blank#look';

/** A worker's connection to one session's Chrome under one lease epoch. It ends with the epoch, the worker or the Chrome. */
export class Attachment {
  private constructor(
    readonly epoch: number,
    /** Identifies this Chrome process; never reused. */
    readonly browserId: string,
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly watch: PageWatch,
    readonly downloads: Downloads,
    readonly trace: StepTrace,
    /**
     * True when no worker was attached to this Chrome before, so that everything its pages know came through here.
     */
    readonly isFirst: boolean,
    private front: Page,
    /** All tabs, open and closed, oldest first as far as known. */
    private readonly known: Page[],
    { network, policy, playwright }: BrowserAccess,
  ) {
    this.access = { network, policy };
    this.launchedType = playwright;
    this.mayHoldDeed = !isFirst;
    context.on('page', (page) => this.trackTab(page));
    for (const page of this.known) this.trackCrash(page);
  }

  /**
   * Connects through the relay and restores what a client loses with its connection. `targetId` names the tab that
   * was in front.
   */
  static async open(access: BrowserAccess, targetId: string | null, timeoutMs: number): Promise<Attachment> {
    const connect = access.playwright === undefined ? connectToChrome : connectToServer;
    const browser = await connect(access, timeoutMs);
    try {
      const { browserId, context, watch, tabs, downloads } = await openContext(access, browser);
      const inFront = tabs.find((tab) => tab.targetId === targetId)?.page ?? tabs[0]?.page;
      const front = inFront ?? (await context.newPage());
      await front.setViewportSize(VIEWPORT);
      const known = inFront === undefined ? [front] : tabs.map(({ page }) => page);
      const trace = new StepTrace(context);
      return new Attachment(
        access.epoch,
        browserId,
        browser,
        context,
        watch,
        downloads,
        trace,
        access.isNew,
        front,
        known,
        access,
      );
    } catch (error) {
      const isCut = await isLost(browser);
      await browser.close().catch(() => {});
      throw isCut ? unreachableError(error) : error;
    }
  }

  /**
   * True while the Chrome may still send the idempotency key of a finished commit, possibly set by an earlier worker.
   */
  mayCarryIdempotencyKey = true;

  /** Whether its keeper may still judge what leaves by an approved deed, possibly one of an earlier worker. */
  mayHoldDeed: boolean;

  /** The type of a browser that Playwright has launched, which has no DevTools; undefined for a Chrome. */
  readonly launchedType: BrowserType | undefined;

  get hasDevTools(): boolean {
    return this.launchedType === undefined;
  }

  /** What its Chrome may reach. */
  access: Pick<BrowserAccess, 'network' | 'policy'>;

  /** False until this worker has set again what earlier commands of the session have set (activities/browser/commands/environment.ts). */
  hasEnvironment = false;

  /** What requests are signed in with, by their origin, once that asks for it. */
  readonly httpCredentials = new Map<string, { origin: string; username: string; password: string }>();

  /** The size of the view in every tab. */
  private viewport = VIEWPORT;

  async setViewport({ width, height }: { width: number; height: number }): Promise<void> {
    this.viewport = { width, height };
    await this.page.setViewportSize(this.viewport);
  }

  /** Where the profile of the session allows them. */
  passkeys: Passkeys | undefined;

  readonly filled = new FilledFields();
  /** The page in front where a restore has opened it and filled nothing in, until a look takes it; `at` is of `performance.now()`. */
  restored: { page: Page; at: number } | undefined;

  /** How many of the blocked origins are in the event log. */
  publishedBlockedOrigins = 0;

  /** True once this worker has typed a secret into a page. */
  hasTypedSecret = false;

  get isConnected(): boolean {
    return this.browser.isConnected() && !this.hasCrashed;
  }

  /** Calls back when the connection has ended, or at once when it has. */
  onceLost(callback: () => void): void {
    if (this.isConnected) this.browser.once('disconnected', callback);
    else callback();
  }

  /**
   * Resolves to true when the connection is gone, or ends within a moment: a page's error may arrive just before
   * that.
   */
  async isLost(): Promise<boolean> {
    return this.hasCrashed || (await isLost(this.browser));
  }

  private crashed = false;

  /** True once the process of a page has died. The keeper ends this Chrome, and another one restores what the page showed. */
  get hasCrashed(): boolean {
    return this.crashed;
  }

  private readonly unusable = new WeakSet<Page>();
  /** Tabs that only `inOtherTab` knows. */
  private readonly others = new WeakSet<Page>();

  private trackTab(page: Page): void {
    this.known.push(page);
    this.trackCrash(page);
  }

  private trackCrash(page: Page): void {
    page.on('crash', () => (this.crashed = true));
  }

  /** Excludes a tab whose page does not answer. */
  markUnusable(page: Page): void {
    this.unusable.add(page);
  }

  /** The open tabs, in an order that survives a reattach. */
  get tabs(): readonly Page[] {
    return this.known.filter((page) => !page.isClosed() && !this.others.has(page));
  }

  isUsable(page: Page): boolean {
    return !page.isClosed() && !this.unusable.has(page);
  }

  /** The tab that commands act on. When it is closed or unusable, the last usable tab takes its place. */
  get page(): Page {
    if (!this.isUsable(this.front)) this.front = this.tabs.findLast((page) => this.isUsable(page)) ?? this.front;
    return this.front;
  }

  /** Opens an empty tab when no usable one is left. */
  async openTab(): Promise<void> {
    if (!this.isUsable(this.page)) await this.bringToFront(await this.context.newPage());
  }

  async bringToFront(page: Page): Promise<void> {
    this.front = page;
    await page.bringToFront();
    await page.setViewportSize(this.viewport);
  }

  async targetId(): Promise<string> {
    return await this.targetIdOf(this.page);
  }

  private readonly targetIds = new WeakMap<Page, string>();

  async targetIdOf(page: Page): Promise<string> {
    const known =
      this.targetIds.get(page) ?? (this.hasDevTools ? await targetIdOf(await this.cdp(page)) : randomUUID());
    this.targetIds.set(page, known);
    return known;
  }

  /** The checkpoint that was written last, the queue of writes, and the step before which one was kept for forks. */
  readonly checkpoint: { last: Checkpoint | undefined; queue: Promise<void>; keptBefore?: number } = {
    last: undefined,
    queue: Promise.resolve(),
  };

  private readonly sessions = new WeakMap<Page, Promise<CDPSession>>();

  /** A CDP session of a page, cached: opening one costs a round trip. Rejects in a browser that has no DevTools. */
  cdp(page: Page): Promise<CDPSession> {
    if (!this.hasDevTools) return Promise.reject(noDevToolsError(this.launchedType));
    const cached = this.sessions.get(page);
    if (cached !== undefined) return cached;
    const opening = this.context.newCDPSession(page);
    this.sessions.set(page, opening);
    opening.catch(() => this.sessions.delete(page));
    return opening;
  }

  private readonly frameSessions = new WeakMap<Frame, Promise<CDPSession | undefined>>();

  /** A cached CDP session of a frame that has a process of its own; undefined for a frame in its parent's process. */
  frameSession(frame: Frame): Promise<CDPSession | undefined> {
    if (!this.hasDevTools) return Promise.resolve(undefined);
    const cached = this.frameSessions.get(frame);
    if (cached !== undefined) return cached;
    const opening = this.context.newCDPSession(frame).catch(() => undefined);
    this.frameSessions.set(frame, opening);
    void opening.then((session) => {
      // The next document may move the frame into another process.
      if (session === undefined) this.frameSessions.delete(frame);
      else session.once('close', () => this.frameSessions.delete(frame));
    });
    return opening;
  }

  /** Works in an empty page of a context of its own, which no script of the session's pages reaches. */
  async besides<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const context = await this.browser.newContext();
    try {
      return await work(await context.newPage());
    } finally {
      await context.close().catch(() => {});
    }
  }

  /**
   * Works in another tab of the session, as a person who looks something up: signed in as its pages are, past what they have
   * cached. Commands, snapshots and checkpoints know nothing of it. One that a dead worker has left open is closed first.
   */
  async inOtherTab<T>(work: (inTab: Attachment) => Promise<T>): Promise<T> {
    for (const page of this.tabs) if (page !== this.page && (await this.isOtherTab(page))) await page.close();
    const tab = await this.context.newPage();
    this.others.add(tab);
    try {
      await tab.goto(OTHER_TAB);
      await tab.setViewportSize(this.viewport);
      if (this.hasDevTools) {
        const session = await this.cdp(tab);
        await session.send('Network.enable');
        await session.send('Network.setCacheDisabled', { cacheDisabled: true });
        await session.send('Network.setBypassServiceWorker', { bypass: true });
      }
      return await work(Object.create(this, { page: { value: tab } }) as Attachment);
    } finally {
      await tab.close().catch(() => {});
      await this.page.bringToFront().catch(() => {});
    }
  }

  /** Whether such a tab is what its history begins with. */
  private async isOtherTab(page: Page): Promise<boolean> {
    if (!this.hasDevTools) return false;
    const history = this.cdp(page).then((session) => session.send('Page.getNavigationHistory'));
    const { entries } = await withinMs(ANSWER_MS, history).catch(() => ({ entries: [] }));
    return entries.some(({ url }) => url === OTHER_TAB);
  }

  async close(): Promise<void> {
    await this.trace.discard();
    await this.downloads.close();
    // Over CDP this only disconnects; the Chrome and its pages stay. Those of a Playwright server end.
    await this.browser.close().catch(() => {});
  }
}

async function isLost(browser: Browser): Promise<boolean> {
  if (!browser.isConnected()) return true;
  const lost = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  await withinMs(DISCONNECT_MS, lost).catch(() => {});
  return !browser.isConnected();
}
