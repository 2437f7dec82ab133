import { randomUUID } from 'node:crypto';
import playwright, { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright';
import type { BrowserAccess } from '../../../contracts/browsers/keeper';
import { VIEWPORT } from '../../../contracts/browsers/viewport';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { EngineError } from '../../activity/failures';
import { ChromeDownloads, type Downloads } from './downloads';
import { PageWatch } from './page-watch';
import { ServerDownloads } from './server-downloads';
import { makeTemporaryFolder, removeForGood } from './temporary-folder';
import { registerUtilityWorld } from './utility-world';

/** Through the relay of its keeper. */
export async function connectToChrome(access: BrowserAccess, timeoutMs: number): Promise<Browser> {
  // Playwright would create the folder where it was when it was loaded, and leave it behind when this worker is
  // killed.
  const artifactsDir = await makeTemporaryFolder('attachment-');
  const clear = (): void => void removeForGood(artifactsDir);
  try {
    const headers = { authorization: `Bearer ${access.token}` };
    const options = { timeout: timeoutMs, noDefaults: true, artifactsDir, headers };
    return (await chromium.connectOverCDP(access.endpoint, options)).once('disconnected', clear);
  } catch (cause) {
    clear();
    throw unreachableError(cause);
  }
}

/** To the Playwright server beside the keeper. Its pages are this connection's alone, and end with it. */
export async function connectToServer(
  { playwright: type = 'chromium', endpoint }: BrowserAccess,
  timeout: number,
): Promise<Browser> {
  try {
    await registerUtilityWorld();
    return await playwright[type].connect(endpoint, { timeout });
  } catch (cause) {
    throw unreachableError(cause);
  }
}

/** What a worker uses of a browser that it has connected to. */
interface OpenedContext {
  /** Identifies what the pages live in; never reused. */
  browserId: string;
  context: BrowserContext;
  watch: PageWatch;
  tabs: Tab[];
  downloads: Downloads;
}

/** Takes the context of a Chrome, with its tabs, or makes one in a browser whose pages nobody else has. */
export async function openContext(
  { playwright: type, browserId, downloads }: BrowserAccess,
  browser: Browser,
): Promise<OpenedContext> {
  if (type !== undefined) {
    const context = await browser.newContext({ viewport: VIEWPORT, acceptDownloads: true });
    const watch = new PageWatch(context);
    return { browserId: randomUUID(), context, watch, tabs: [], downloads: new ServerDownloads(context) };
  }
  const [context] = browser.contexts();
  if (context === undefined)
    throw new EngineError('EX001', 'The browser has no default context.', { type: BROWSER_GONE });
  const watch = new PageWatch(context);
  const [tabs, opened] = await Promise.all([tabsOf(context), ChromeDownloads.open(browser, downloads)]);
  return { browserId, context, watch, tabs, downloads: opened };
}

export function unreachableError(cause: unknown): EngineError {
  const message = `The browser can't be reached at its relay: ${(cause as Error).message.split('\n')[0]}`;
  return new EngineError('EX001', message, { type: BROWSER_GONE, cause });
}

interface Tab {
  page: Page;
  targetId: string;
  openerId: string | undefined;
}

/** Lists the tabs with every tab after its opener: after a reattach Chrome lists them in any order. */
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

export async function targetIdOf(session: CDPSession): Promise<string> {
  return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
}
