import { mkdirSync } from 'node:fs';
import type {
  BlockedOrigin,
  BrowserAccess,
  IdempotencyHeader,
  KeeperEvidence,
  BrowserListing as Listing,
} from '../../../contracts/browsers/keeper';
import type { BrowserType } from '../../../contracts/browsers/browser-type';
import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import type { NetworkPolicy, OperatorNetwork, SessionNetwork } from '../../../contracts/browsers/network-policy';
import { findBrowserProgram, type BrowserProgram } from '../../../runtime/browser-program';
import type { Logger } from '../../../runtime/process';
import { MAX_BROWSERS } from '../../../runtime/settings/host-definitions';
import { withinMs } from '../../../runtime/time-limit';
import { adoptBrowsers } from './adoption';
import { openEvidenceLogs } from '../evidence/evidence-logs';
import type { ChromeSandbox } from '../chrome/sandbox';
import type { KeptBrowser } from './kept-browser';
import { createEgress } from '../egress/egress';
import { createPool } from './pool';
import { hostFull, noSuchBrowser } from '../host/refusals';
import { startsAtOnce } from './capacity';
import { createReservations, type Reservations } from './reservations';
import { createSharedChromes } from './shared-chromes';
import { startFor, type OpenRequest } from './starts';

/** The browsers of this host, by session. */
export interface Browsers {
  /** Starts a Chrome for the session, or uses the one that it has, and opens the relay of this epoch. */
  open(request: OpenRequest & { epoch: number }): Promise<BrowserAccess>;
  openRelay(request: { sessionId: string; epoch: number }): Promise<BrowserAccess>;
  setIdempotencyHeader(request: {
    sessionId: string;
    epoch: number;
    key: IdempotencyHeader | undefined;
  }): Promise<void>;
  /** Judges what leaves the session's Chrome by the deed from now on; resolves to what became of the deed before. */
  setDeed(request: {
    sessionId: string;
    epoch: number;
    deed: ApprovedDeed | undefined;
  }): Promise<DeedReport | undefined>;
  /** The dialogs of its pages; undefined where nobody can hold them. */
  dialogs(request: { sessionId: string; epoch: number }): ReturnType<KeptBrowser['dialogs']>;
  /** Changes where the session's Chrome may go, within what the operator allows. */
  setNetwork(request: { sessionId: string; epoch: number; network: SessionNetwork }): Promise<NetworkPolicy>;
  /** Resolves once the session's Chrome can reach the network, with the time since when. */
  wayOutOpenSince(sessionId: string): Promise<string>;
  /** Names where the engine listens, which no session reaches. */
  setServices(services: readonly (string | undefined)[]): Promise<void>;
  /** Milliseconds since a page last waited for a response; 0 while one waits, null when none ever did. */
  quietForMs(sessionId: string): number | null;
  /** What the session's Chromes did, also those that are gone; with a browser id, what that one did. */
  evidence(request: { sessionId: string; since?: string | undefined; browserId?: string | undefined }): KeeperEvidence;
  /** The origins that the network guards refused to the session's Chromes. */
  blockedOrigins(sessionId: string): Promise<BlockedOrigin[]>;
  /** Ends the session's Chrome and removes its evidence; with `upTo` only when no newer epoch was let in. */
  close(sessionId: string, how?: { upTo?: number | undefined; keepEvidence?: boolean }): Promise<void>;
  list(): Listing[];
  readonly reservations: Reservations;
  /** Addresses that the session's pages are connected to by WebSockets. */
  openSockets(sessionId: string): string[];
  /** Resolves once no approved command is under way, or the time is over. */
  deedsOver(limitMs: number): Promise<void>;
  /** Stops the keeper. The Chromes of sessions run on for a successor unless `endBrowsers`. */
  stop(options: { endBrowsers: boolean }): Promise<void>;
}

interface BrowsersOptions {
  root: string;
  chromiumPath: string;
  /** What runs without windows; by default the same. */
  headlessPath?: string;
  /** Finds the program of a browser that Playwright launches; throws a sentence that says how to install it. */
  programOf?: (browserType: Exclude<BrowserType, 'chromium'>) => BrowserProgram;
  /** How Chromes of this host are confined; by default as this process can without trying. */
  sandbox?: ChromeSandbox;
  /** How many unused Chromes to hold ready; 0 for none. */
  poolSize: number;
  /** Capacity of this host, given how many Chromes run already. */
  capacityFor?: (running: number) => number;
  /** Floors of the operator's for the network of every session. */
  network: OperatorNetwork;
  /** Of the local stack, whose services no session reaches. */
  home?: string;
  logger: Logger;
}

type Entry =
  | { kind: 'starting'; browser: Promise<KeptBrowser> }
  | { kind: 'running'; browser: KeptBrowser }
  /** A new Chrome of the session waits for this, because both use the same folder. */
  | { kind: 'ending'; done: Promise<void> };

/** Creates the registry after adopting what an earlier keeper left. */
export async function createBrowsers({
  root,
  chromiumPath,
  headlessPath = chromiumPath,
  programOf = (browserType) => findBrowserProgram(browserType, {}),
  sandbox,
  poolSize,
  capacityFor = () => MAX_BROWSERS,
  network: operator,
  home,
  logger,
}: BrowsersOptions): Promise<Browsers> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const entries = new Map<string, Entry>();
  const logs = openEvidenceLogs(root, logger);
  const egress = createEgress({ root, home, operator });
  const shared = createSharedChromes({ root, chromiumPath: headlessPath, sandbox, egress, logger });
  for (const [sessionId, browser] of await adoptBrowsers(root, { evidence: logs, egress, shared, logger }))
    register(sessionId, browser);
  const reservations = createReservations({
    capacity: capacityFor(entries.size),
    used: () => entries.size,
    starting: () => [...entries.values()].filter(({ kind }) => kind === 'starting').length,
    startsAtOnce: startsAtOnce(),
  });
  const mayStart = () => entries.size + pool.size() < reservations.capacity;
  const pool = createPool({ root, chromiumPath: headlessPath, sandbox, size: poolSize, mayStart, egress, logger });

  function register(sessionId: string, browser: KeptBrowser): void {
    entries.set(sessionId, { kind: 'running', browser });
    void browser.gone.then(() => {
      logger.warn(
        { sessionId, pid: browser.list().pid, reason: logs.find(sessionId)?.endedBecause },
        'a browser was lost',
      );
      return end(sessionId, browser);
    });
  }

  function end(sessionId: string, browser: KeptBrowser): Promise<void> {
    const done = browser
      .end()
      .catch((error: unknown) =>
        logger.warn({ sessionId, error: String(error) }, 'a browser folder could not be removed'),
      )
      .finally(() => {
        entries.delete(sessionId);
        reservations.notifyFreed();
        pool.refill();
      });
    entries.set(sessionId, { kind: 'ending', done });
    return done;
  }

  async function start(wish: OpenRequest): Promise<KeptBrowser> {
    const isFull = () => entries.size + pool.size() > reservations.capacity;
    const program = { root, chromiumPath, headlessPath, programOf, sandbox };
    const browser = await startFor(wish, { ...program, pool, shared, logs, egress, isFull });
    register(wish.sessionId, browser);
    // Another one may start.
    reservations.notifyFreed();
    return browser;
  }

  function running(sessionId: string): KeptBrowser {
    const entry = entries.get(sessionId);
    if (entry?.kind !== 'running') throw noSuchBrowser(sessionId, logs.find(sessionId)?.endedBecause);
    return entry.browser;
  }

  async function getOrStart(wish: OpenRequest): Promise<KeptBrowser> {
    const { sessionId, reservation } = wish;
    const entry = entries.get(sessionId);
    if (entry?.kind === 'ending') {
      await entry.done;
      return getOrStart(wish);
    }
    if (entry !== undefined) return entry.browser;
    if (!reservations.consume(reservation)) throw hostFull(reservations.capacity);
    // Registered before it starts, so that a second call shares this start.
    const browser = Promise.resolve().then(() => start(wish));
    entries.set(sessionId, { kind: 'starting', browser });
    browser.catch(() => {
      entries.delete(sessionId);
      reservations.notifyFreed();
    });
    return browser;
  }

  /** Resolves to false when a newer epoch holds it. */
  async function endBrowser(sessionId: string, upTo = Infinity): Promise<boolean> {
    const entry = entries.get(sessionId);
    if (entry?.kind === 'running' && entry.browser.list().epoch > upTo) return false;
    if (entry?.kind === 'running') await end(sessionId, entry.browser);
    if (entry?.kind === 'ending') await entry.done;
    if (entry?.kind !== 'starting') return true;
    await entry.browser.catch(() => undefined);
    return endBrowser(sessionId, upTo);
  }

  return {
    reservations,
    async close(sessionId, { upTo, keepEvidence = false } = {}) {
      if ((await endBrowser(sessionId, upTo)) && !keepEvidence) logs.remove(sessionId);
    },
    open: async ({ epoch, ...wish }) => (await getOrStart(wish)).openRelay(epoch),
    setServices: (services) => egress.setServices(services),
    setNetwork: async ({ sessionId, epoch, network }) => running(sessionId).setNetwork(network, epoch),
    wayOutOpenSince: async (sessionId) => running(sessionId).wayOutOpenSince(),
    openRelay: async ({ sessionId, epoch }) => running(sessionId).openRelay(epoch),
    setIdempotencyHeader: async ({ sessionId, epoch, key }) => running(sessionId).setIdempotencyHeader(epoch, key),
    setDeed: async ({ sessionId, epoch, deed }) => running(sessionId).setDeed(epoch, deed),
    dialogs: ({ sessionId, epoch }) => running(sessionId).dialogs(epoch),
    openSockets: (sessionId) => running(sessionId).openSockets(),
    quietForMs: (sessionId) => running(sessionId).quietForMs(),
    evidence({ sessionId, ...asked }) {
      const log = logs.find(sessionId);
      if (log === undefined) throw noSuchBrowser(sessionId);
      return log.evidence(asked);
    },
    async blockedOrigins(sessionId) {
      const entry = entries.get(sessionId);
      if (entry?.kind === 'running') await entry.browser.collectBlocked().catch(() => undefined);
      return logs.find(sessionId)?.blockedSoFar() ?? [];
    },
    list: () => [...entries.values()].flatMap((entry) => (entry.kind === 'running' ? [entry.browser.list()] : [])),
    async deedsOver(limitMs) {
      const running = [...entries.values()].flatMap((entry) => (entry.kind === 'running' ? [entry.browser] : []));
      await withinMs(limitMs, Promise.all(running.map((browser) => browser.deedOver()))).catch(() => undefined);
    },
    async stop({ endBrowsers }) {
      await Promise.all([
        pool.stop(),
        ...[...entries].map(async ([sessionId, entry]) => {
          if (entry.kind === 'ending') return entry.done;
          if (endBrowsers) return void (await endBrowser(sessionId));
          await Promise.resolve(entry.browser).then(
            (browser) => browser.release(),
            () => undefined,
          );
        }),
      ]);
      await shared.stop({ endBrowsers });
      egress.stop({ endBrowsers });
    },
  };
}
