import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright';
import type { BrowserAccess } from '../../contracts/keeper';
import { BROWSER_GONE } from '../../contracts/errors';
import { EngineError } from '../failures';
import { withinMs } from './limit';
import { PageWatch } from './page-watch';
import { StepTrace } from './step-trace';

const VIEWPORT = { width: 1280, height: 800 };
const DISCONNECT_MS = 250;

/** A worker's hold on one session's Chrome, under one lease epoch. Ends when the epoch, the worker or the Chrome does. */
export class Attachment {
  private constructor(
    readonly epoch: number,
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly watch: PageWatch,
    readonly trace: StepTrace,
    /** True when no worker was attached to this Chrome before: everything its pages know came through here. */
    readonly isFirst: boolean,
    private front: Page,
  ) {
    context.on('page', (page) => this.noticeCrash(page));
    for (const page of context.pages()) this.noticeCrash(page);
  }

  /** Connects through the relay and re-applies what a client loses when it goes. `targetId` is the tab that was in front. */
  static async open(access: BrowserAccess, targetId: string | null, timeoutMs: number): Promise<Attachment> {
    const browser = await connect(access, timeoutMs);
    try {
      const context = browser.contexts()[0];
      if (context === undefined)
        throw new EngineError('EX001', 'The browser has no default context.', { type: BROWSER_GONE });
      const watch = new PageWatch(context);
      const page = (await pageOf(context, targetId)) ?? context.pages()[0] ?? (await context.newPage());
      await page.setViewportSize(VIEWPORT);
      return new Attachment(access.epoch, browser, context, watch, new StepTrace(context), access.isNew, page);
    } catch (error) {
      await browser.close().catch(() => {});
      throw error;
    }
  }

  get isConnected(): boolean {
    return this.browser.isConnected();
  }

  /** The connection is gone, or goes now: an error of a page may be here a moment before it. */
  async isLost(): Promise<boolean> {
    if (!this.isConnected) return true;
    const lost = new Promise<void>((resolve) => this.browser.once('disconnected', () => resolve()));
    await withinMs(DISCONNECT_MS, lost).catch(() => {});
    return !this.isConnected;
  }

  private readonly crashed = new WeakSet<Page>();

  private noticeCrash(page: Page): void {
    page.on('crash', () => this.crashed.add(page));
  }

  private isUsable(page: Page): boolean {
    return !page.isClosed() && !this.crashed.has(page);
  }

  /** The tab that commands act on; a closed or crashed one gives way to the last that is left. */
  get page(): Page {
    if (!this.isUsable(this.front))
      this.front = this.context.pages().findLast((page) => this.isUsable(page)) ?? this.front;
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
    return await targetIdOf(await this.cdp(this.page));
  }

  private readonly sessions = new WeakMap<Page, Promise<CDPSession>>();

  /** A raw CDP session of a page, kept: opening one costs a round trip. */
  cdp(page: Page): Promise<CDPSession> {
    const kept = this.sessions.get(page) ?? this.context.newCDPSession(page);
    this.sessions.set(page, kept);
    return kept;
  }

  async close(): Promise<void> {
    // Over CDP this only disconnects; the Chrome and its pages stay.
    await this.browser.close().catch(() => {});
  }
}

async function connect(access: BrowserAccess, timeoutMs: number): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(access.endpoint, { timeout: timeoutMs, noDefaults: true });
  } catch (cause) {
    throw new EngineError(
      'EX001',
      `The browser can't be reached at its relay: ${(cause as Error).message.split('\n')[0]}`,
      { type: BROWSER_GONE, cause },
    );
  }
}

async function pageOf(context: BrowserContext, targetId: string | null): Promise<Page | undefined> {
  if (targetId === null) return undefined;
  for (const page of context.pages()) {
    const session = await context.newCDPSession(page);
    const isIt = (await targetIdOf(session)) === targetId;
    await session.detach();
    if (isIt) return page;
  }
  return undefined;
}

async function targetIdOf(session: CDPSession): Promise<string> {
  return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
}
