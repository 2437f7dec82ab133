import { chromium, type Browser, type BrowserContext, type CDPSession, type Frame, type Page } from 'playwright';
import type { BrowserAccess } from '../../contracts/browsers/keeper';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import type { Checkpoint } from '../../store/browsers/checkpoints';
import { EngineError } from '../failures';
import { withinMs } from '../../runtime/time-limit';
import { PageWatch } from './page-watch';
import { StepTrace } from './step-trace';
import { makeTemporaryFolder, removeForGood } from './temporary-folder';

const VIEWPORT = { width: 1280, height: 800 };
const DISCONNECT_MS = 250;

/** A worker's hold on one session's Chrome, under one lease epoch. Ends when the epoch, the worker or the Chrome does. */
export class Attachment {
  private constructor(
    readonly epoch: number,
    /** The same for as long as this Chrome lives, and never again. */
    readonly browserId: string,
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly watch: PageWatch,
    readonly trace: StepTrace,
    /** True when no worker was attached to this Chrome before: everything its pages know came through here. */
    readonly isFirst: boolean,
    private front: Page,
    /** Every tab there was, oldest first as far as can be told. */
    private readonly known: Page[],
  ) {
    context.on('page', (page) => this.trackTab(page));
    for (const page of this.known) this.trackCrash(page);
  }

  /** Connects through the relay and re-applies what a client loses when it goes. `targetId` is the tab that was in front. */
  static async open(access: BrowserAccess, targetId: string | null, timeoutMs: number): Promise<Attachment> {
    const browser = await connect(access, timeoutMs);
    try {
      const context = browser.contexts()[0];
      if (context === undefined)
        throw new EngineError('EX001', 'The browser has no default context.', { type: BROWSER_GONE });
      const watch = new PageWatch(context);
      const tabs = await tabsOf(context);
      const inFront = tabs.find((tab) => tab.targetId === targetId)?.page ?? tabs[0]?.page;
      const front = inFront ?? (await context.newPage());
      await front.setViewportSize(VIEWPORT);
      const known = inFront === undefined ? [front] : tabs.map(({ page }) => page);
      const trace = new StepTrace(context);
      const browserId = new URL(access.endpoint).pathname;
      return new Attachment(access.epoch, browserId, browser, context, watch, trace, access.isNew, front, known);
    } catch (error) {
      const isCut = await isLost(browser);
      await browser.close().catch(() => {});
      throw isCut ? unreachableError(error) : error;
    }
  }

  /** The Chrome may be sending the idempotency key of a commit that is through: an earlier worker may have left it. */
  mayCarryIdempotencyKey = true;

  /** How many origins that the Chrome was kept from stand in the log. */
  publishedBlockedOrigins = 0;

  /** Some field of a page holds a secret that this worker has typed. */
  hasTypedSecret = false;

  get isConnected(): boolean {
    return this.browser.isConnected();
  }

  /** Runs when the connection has ended, whoever ended it. */
  onceLost(tell: () => void): void {
    if (this.isConnected) this.browser.once('disconnected', tell);
    else tell();
  }

  /** The connection is gone, or goes now: an error of a page may be here a moment before it. */
  async isLost(): Promise<boolean> {
    return await isLost(this.browser);
  }

  private readonly crashed = new WeakSet<Page>();

  private trackTab(page: Page): void {
    this.known.push(page);
    this.trackCrash(page);
  }

  private trackCrash(page: Page): void {
    page.on('crash', () => this.markUnusable(page));
  }

  /** The page crashed, or its script never ends: nothing can be done in this tab any more. */
  markUnusable(page: Page): void {
    this.crashed.add(page);
  }

  /** The open tabs in an order that a reattach keeps. */
  get tabs(): readonly Page[] {
    return this.known.filter((page) => !page.isClosed());
  }

  private isUsable(page: Page): boolean {
    return !page.isClosed() && !this.crashed.has(page);
  }

  /** The tab that commands act on; a closed or crashed one gives way to the last that is left. */
  get page(): Page {
    if (!this.isUsable(this.front)) this.front = this.tabs.findLast((page) => this.isUsable(page)) ?? this.front;
    return this.front;
  }

  /** Opens an empty tab when none is left that could be used. */
  async openTab(): Promise<void> {
    if (!this.isUsable(this.page)) await this.bringToFront(await this.context.newPage());
  }

  async bringToFront(page: Page): Promise<void> {
    this.front = page;
    await page.bringToFront();
    await page.setViewportSize(VIEWPORT);
  }

  async targetId(): Promise<string> {
    return await this.targetIdOf(this.page);
  }

  async targetIdOf(page: Page): Promise<string> {
    return await targetIdOf(await this.cdp(page));
  }

  /** The checkpoint that was written last, and the one that is being taken. */
  readonly checkpoint: { last: Checkpoint | undefined; queue: Promise<void> } = {
    last: undefined,
    queue: Promise.resolve(),
  };

  private readonly sessions = new WeakMap<Page, Promise<CDPSession>>();

  /** A raw CDP session of a page, kept: opening one costs a round trip. */
  cdp(page: Page): Promise<CDPSession> {
    const kept = this.sessions.get(page);
    if (kept !== undefined) return kept;
    const opening = this.context.newCDPSession(page);
    this.sessions.set(page, opening);
    opening.catch(() => this.sessions.delete(page));
    return opening;
  }

  /** Of the whole Chrome; to be detached by whoever asked. */
  async browserSession(): Promise<CDPSession> {
    return await this.browser.newBrowserCDPSession();
  }

  private readonly frameSessions = new WeakMap<Frame, Promise<CDPSession | undefined>>();

  /** Of a frame whose site has a process of its own, kept; undefined for one that shares the process of its parent. */
  frameSession(frame: Frame): Promise<CDPSession | undefined> {
    const kept = this.frameSessions.get(frame);
    if (kept !== undefined) return kept;
    const opening = this.context.newCDPSession(frame).catch(() => undefined);
    this.frameSessions.set(frame, opening);
    void opening.then((session) => {
      // It may get a process of its own with its next document, or lose it.
      if (session === undefined) this.frameSessions.delete(frame);
      else session.once('close', () => this.frameSessions.delete(frame));
    });
    return opening;
  }

  async close(): Promise<void> {
    await this.trace.discard();
    // Over CDP this only disconnects; the Chrome and its pages stay.
    await this.browser.close().catch(() => {});
  }
}

async function connect(access: BrowserAccess, timeoutMs: number): Promise<Browser> {
  // Playwright would make its own where it was when it was loaded, and leave it there when this worker is killed.
  const artifactsDir = await makeTemporaryFolder('attachment-');
  const clear = (): void => void removeForGood(artifactsDir);
  try {
    const options = { timeout: timeoutMs, noDefaults: true, artifactsDir };
    return (await chromium.connectOverCDP(access.endpoint, options)).once('disconnected', clear);
  } catch (cause) {
    clear();
    throw unreachableError(cause);
  }
}

async function isLost(browser: Browser): Promise<boolean> {
  if (!browser.isConnected()) return true;
  const lost = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  await withinMs(DISCONNECT_MS, lost).catch(() => {});
  return !browser.isConnected();
}

function unreachableError(cause: unknown): EngineError {
  const message = `The browser can't be reached at its relay: ${(cause as Error).message.split('\n')[0]}`;
  return new EngineError('EX001', message, { type: BROWSER_GONE, cause });
}

interface Tab {
  page: Page;
  targetId: string;
  openerId: string | undefined;
}

/** After a reattach Chrome lists tabs in any order; at least a tab comes after the one that opened it. */
async function tabsOf(context: BrowserContext): Promise<Tab[]> {
  const listed = await Promise.all(
    context.pages().map(async (page): Promise<Tab> => {
      const session = await context.newCDPSession(page);
      const { targetId, openerId } = (await session.send('Target.getTargetInfo')).targetInfo;
      await session.detach();
      return { page, targetId, openerId };
    }),
  );
  const depth = ({ openerId }: Tab): number => {
    const opener = listed.find((tab) => tab.targetId === openerId);
    return opener === undefined ? 0 : 1 + depth(opener);
  };
  return listed.sort((one, other) => depth(one) - depth(other));
}

async function targetIdOf(session: CDPSession): Promise<string> {
  return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
}
