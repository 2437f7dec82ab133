import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { errorMessage } from '../../../contracts/errors/error-message';
import { removeFolders } from '../../../runtime/browser-folder';
import type { Logger } from '../../../runtime/process';
import { connectCdp, type CdpConnection } from '../cdp/connection';
import { endChrome, endDyingChrome, startChrome, type Chrome } from '../chrome/chrome';
import type { BrowserRecord } from '../chrome/browser-record';
import { downloadsFolder, makeDownloads } from '../chrome/profile';
import type { ChromeSandbox } from '../chrome/sandbox';
import type { DevTools } from '../devtools/devtools';
import type { Egress, WayOut } from '../egress/egress';
import { KilledWhileStarting, startedTooLate } from '../host/refusals';

/** Chromes that several sessions of one tenant share: each session has a browser context of its own, with its own proxy. */
export interface SharedChromes {
  /** Makes a context for a session of the tenant, in a Chrome that runs or in a new one. */
  open(wish: ContextWish): Promise<Chrome>;
  /** Takes over one that an earlier keeper left, with its contexts of these ids; all others are closed. `folder` is the session's. */
  adopt(left: LeftChrome): Promise<(contextId: string, folder: string) => PartOfChrome | undefined>;
  /** Leaves them to the next keeper, or ends those that no session uses. */
  stop(options: { endBrowsers: boolean }): Promise<void>;
}

/** What a session has of a Chrome that it shares. */
export type PartOfChrome = Pick<Chrome, 'devTools' | 'context'>;

interface ContextWish {
  tenant: string;
  /** Of the session. */
  folder: string;
  /** Of the session's own proxy. */
  proxyPort: number;
  startWithinMs?: number | undefined;
}

interface LeftChrome {
  folder: string;
  marker: BrowserRecord & { sharedBy: string; browserId: string };
  devTools: DevTools;
  wayOut: WayOut;
  contexts: ReadonlySet<string>;
}

interface SharedOptions {
  root: string;
  chromiumPath: string;
  sandbox?: ChromeSandbox | undefined;
  egress: Egress;
  logger: Logger;
}

interface Shared {
  chrome: Chrome;
  tenant: string;
  wayOut: WayOut;
  control: CdpConnection;
  contexts: Set<string>;
  /** Contexts that are being made. */
  opening: number;
  /** Contexts that it was asked for. */
  served: number;
  /** Ends it where no session comes any more. */
  idle?: NodeJS.Timeout;
}

/** Its death interrupts all of them. */
const MAX_CONTEXTS = 8;
/** Then it makes way for a new one, and with it goes whatever it has not given back. */
const MAX_SERVED = 200;
/** So long it waits for the next session of its tenant. */
const IDLE_MS = 30_000;
const CLOSES_WITHIN_MS = 2000;
/** Chrome's own proxy, which a context has only where that of its own was lost: it lets nothing through. */
const NOWHERE: SessionNetwork = { allowedOrigins: ['https://nowhere.invalid'], allowPrivateAddresses: false };

export function createSharedChromes({ root, chromiumPath, sandbox, egress, logger }: SharedOptions): SharedChromes {
  const running = new Set<Shared>();
  const starting = new Map<string, Promise<Shared>>();

  async function add(parts: Pick<Shared, 'chrome' | 'tenant' | 'wayOut'>, contexts: Set<string>): Promise<Shared> {
    const control = await connectCdp(parts.chrome.devTools);
    const shared: Shared = { ...parts, control, contexts, opening: 0, served: contexts.size };
    running.add(shared);
    void control.closed.then(async () => {
      if (!running.delete(shared)) return;
      clearTimeout(shared.idle);
      logger.warn({ tenant: shared.tenant, pid: shared.chrome.pid }, 'a Chrome that sessions share was lost');
      await endDyingChrome(shared.chrome);
      await shared.wayOut.close();
    });
    endOnceIdle(shared);
    return shared;
  }

  async function end(shared: Shared): Promise<void> {
    if (!running.delete(shared)) return;
    clearTimeout(shared.idle);
    await endChrome(shared.chrome, () => shared.control.send('Browser.close'));
    shared.chrome.devTools.close();
    await shared.wayOut.close();
  }

  const sessionsOf = ({ contexts, opening }: Shared): number => contexts.size + opening;

  function endOnceIdle(shared: Shared): void {
    clearTimeout(shared.idle);
    if (!running.has(shared) || sessionsOf(shared) > 0) return;
    const ended = (error: unknown) =>
      logger.warn({ pid: shared.chrome.pid, error: errorMessage(error) }, 'a Chrome that nobody shares did not end');
    const waitMs = shared.served < MAX_SERVED ? IDLE_MS : 0;
    shared.idle = setTimeout(() => void end(shared).catch(ended), waitMs).unref();
  }

  async function startFor(tenant: string, startWithinMs: number | undefined): Promise<Shared> {
    const wayOut = await egress.open({ network: NOWHERE });
    try {
      const folder = join(root, `shared-${randomUUID()}`);
      const start = { chromiumPath, sandbox, folder, headless: true, network: NOWHERE, startWithinMs };
      const chrome = await startChrome({ ...start, sharedBy: tenant, proxyPort: wayOut.port });
      return await add({ chrome, tenant, wayOut }, new Set());
    } catch (error) {
      void wayOut.close();
      throw error;
    }
  }

  async function oneFor(tenant: string, startWithinMs: number | undefined): Promise<Shared> {
    const found = [...running].find(
      (shared) => shared.tenant === tenant && sessionsOf(shared) < MAX_CONTEXTS && shared.served < MAX_SERVED,
    );
    if (found !== undefined) return found;
    const started = starting.get(tenant) ?? startFor(tenant, startWithinMs).finally(() => void starting.delete(tenant));
    starting.set(tenant, started);
    const shared = await started;
    // Others waited for the same start.
    return sessionsOf(shared) < MAX_CONTEXTS ? shared : await oneFor(tenant, startWithinMs);
  }

  /**
   * What a session has of it. Chrome forgets where the downloads of a context go with the client that has said so last, so the
   * keeper says it anew: the command follows the one that ends the client.
   */
  function partOf(shared: Shared, id: string, folder: string): PartOfChrome {
    const inContext = shared.chrome.devTools.within(id);
    const where = { behavior: 'allow', browserContextId: id, downloadPath: downloadsFolder(folder) };
    const saveDownloads = () => void shared.control.send('Browser.setDownloadBehavior', where).catch(() => {});
    saveDownloads();
    const open: DevTools['open'] = (client) => {
      const closed = () => {
        client.closed();
        queueMicrotask(saveDownloads);
      };
      return inContext.open({ received: (message) => client.received(message), closed });
    };
    return { devTools: { ...inContext, open }, context: contextOf(shared, id) };
  }

  function contextOf(shared: Shared, id: string): NonNullable<Chrome['context']> {
    return {
      id,
      of: basename(shared.chrome.folder),
      async dispose() {
        if (!shared.contexts.delete(id)) return;
        const disposing = shared.control.send(
          'Target.disposeBrowserContext',
          { browserContextId: id },
          { timeoutMs: CLOSES_WITHIN_MS },
        );
        // Nothing else would end a page that hangs as it is closed.
        await disposing.catch(() => end(shared));
        endOnceIdle(shared);
      },
    };
  }

  return {
    async open({ tenant, folder, proxyPort, startWithinMs }) {
      const shared = await oneFor(tenant, startWithinMs);
      clearTimeout(shared.idle);
      shared.opening += 1;
      shared.served += 1;
      try {
        await removeFolders(folder);
        makeDownloads(folder, sandbox?.kind === 'on' ? sandbox.user : undefined);
        const id = await newContext(shared.control, proxyPort).catch((error: unknown) => {
          if (!running.has(shared)) throw new KilledWhileStarting(errorMessage(error));
          // What it makes too late nobody uses.
          shared.served = MAX_SERVED;
          throw startedTooLate(chromiumPath, errorMessage(error));
        });
        shared.contexts.add(id);
        const { pid, startTicks } = shared.chrome;
        const own = { browserId: randomUUID(), startedAt: new Date().toISOString(), folder, proxyPort };
        return { pid, startTicks, ...own, ...partOf(shared, id, folder) };
      } catch (error) {
        await removeFolders(folder);
        throw error;
      } finally {
        shared.opening -= 1;
        endOnceIdle(shared);
      }
    },
    async adopt({ folder, marker, devTools, wayOut, contexts }) {
      const chrome = { ...marker, folder, devTools, context: undefined };
      const shared = await add({ chrome, tenant: marker.sharedBy, wayOut }, new Set(contexts));
      const known = (await shared.control.send('Target.getBrowserContexts')) as { browserContextIds: string[] };
      const left = known.browserContextIds.filter((id) => !contexts.has(id));
      const dispose = (browserContextId: string) =>
        shared.control.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
      await Promise.all(left.map(dispose));
      for (const id of contexts) if (!known.browserContextIds.includes(id)) shared.contexts.delete(id);
      endOnceIdle(shared);
      return (id, its) => (shared.contexts.has(id) ? partOf(shared, id, its) : undefined);
    },
    async stop({ endBrowsers }) {
      await Promise.allSettled(starting.values());
      for (const shared of running) {
        clearTimeout(shared.idle);
        if (endBrowsers || sessionsOf(shared) === 0) await end(shared);
        else {
          running.delete(shared);
          shared.chrome.devTools.close();
        }
      }
    },
  };
}

/** Returns the id of a context with an empty page. */
async function newContext(control: CdpConnection, proxyPort: number): Promise<string> {
  const { browserContextId } = (await control.send('Target.createBrowserContext', {
    // It outlives this keeper.
    disposeOnDetach: false,
    proxyServer: `http://127.0.0.1:${proxyPort}`,
    proxyBypassList: '<-loopback>',
  })) as { browserContextId: string };
  await control.send('Target.createTarget', { url: 'about:blank', browserContextId });
  return browserContextId;
}
