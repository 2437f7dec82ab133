import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import type { NetworkPolicy, SessionNetwork } from '../../../contracts/browsers/network-policy';
import type { BrowserAccess, IdempotencyHeader, BrowserListing as Listing } from '../../../contracts/browsers/keeper';
import { endChrome, endDyingChrome, type Chrome } from '../chrome/chrome';
import { EvidenceLog } from '../evidence/evidence-log';
import { writeBrowserRecord } from '../chrome/browser-record';
import { downloadsFolder } from '../chrome/profile';
import type { WayOut } from '../egress/egress';
import { KeeperRefusal, noSuchBrowser, notLeaseHolder } from '../host/refusals';
import { createCdpPort } from '../network/cdp-port';
import type { Dialogs } from '../cdp/dialogs';
import { watchTarget } from '../cdp/watcher';
import { faultPoint } from '../../../runtime/fault-point';

/** A Chrome with its watcher and its relay. */
export interface KeptBrowser {
  /** Assigns a Chrome of the pool, and its further evidence, to a session. */
  assign(sessionId: string, evidence: EvidenceLog): void;
  /** Changes where it may go; throws for all but the holder of the newest epoch, where one is named. */
  setNetwork(network: SessionNetwork, epoch?: number): Promise<NetworkPolicy>;
  /** Resolves once it can reach the network, with the time since when. */
  wayOutOpenSince(): Promise<string>;
  /** Adds to the evidence what was blocked. */
  collectBlocked(): Promise<void>;
  openRelay(epoch: number): Promise<BrowserAccess>;
  /** Throws for all but the holder of the newest epoch. */
  setIdempotencyHeader(epoch: number, key: IdempotencyHeader | undefined): Promise<void>;
  /** Throws for all but the holder of the newest epoch; resolves to what became of the deed before. */
  setDeed(epoch: number, deed: ApprovedDeed | undefined): Promise<DeedReport | undefined>;
  /** The dialogs of its pages; throws for all but the holder of the newest epoch. Undefined where nobody can hold them. */
  dialogs(epoch: number): Pick<Dialogs, 'hold' | 'held' | 'answerHeld'> | undefined;
  list(): Listing;
  /** Milliseconds since a page last waited for a response; 0 while one waits, null when none ever did. */
  quietForMs(): number | null;
  /** Ends the Chrome and removes its folder. */
  end(): Promise<void>;
  /** Addresses that its pages are connected to by WebSockets. */
  openSockets(): string[];
  /** Resolves once no approved command is under way. */
  deedOver(): Promise<void>;
  /** Detaches from the Chrome, which runs on for a successor to adopt. What it holds of an approved command stays held. */
  release(): void;
  /** Resolves when Chrome ended unexpectedly, or lost the process of a page; its folder is still there, and `end` removes it. */
  readonly gone: Promise<void>;
}

interface KeepOptions {
  chrome: Chrome;
  sessionId?: string | undefined;
  /** The session's evidence; a Chrome in the pool has none worth keeping. */
  evidence?: EvidenceLog | undefined;
  /** The newest epoch that was let in; 0 for a new Chrome. */
  epoch: number;
  isAdopted: boolean;
  idempotencyHeader?: IdempotencyHeader | undefined;
  /** It ends with this object. */
  wayOut: WayOut;
}

export async function keepBrowser(options: KeepOptions): Promise<KeptBrowser> {
  const { chrome, isAdopted, wayOut } = options;
  let sessionId = options.sessionId;
  let evidence = options.evidence ?? new EvidenceLog();
  let { idempotencyHeader: commitKey } = options;
  let deedUnderWay: string | undefined;
  let deedOver = Promise.withResolvers<void>();
  deedOver.resolve();
  let state: 'running' | 'gone' | 'ended' = 'running';
  // A new Chrome counts as new until a worker attached: a lost answer is requested again.
  let isNew = !isAdopted;

  let newestEpoch = options.epoch;
  let relayPort: number | undefined;
  const saveMarker = () => {
    const { pid, startTicks, browserId, devTools, startedAt, proxyPort, context } = chrome;
    const epoch = newestEpoch;
    writeBrowserRecord(chrome.folder, {
      sessionId,
      ...(context === undefined ? {} : { context: { id: context.id, of: context.of } }),
      pid,
      startTicks,
      browserId,
      keeperSession: devTools.keeperSession,
      epoch,
      startedAt,
      idempotencyHeader: commitKey,
      deed: deedUnderWay,
      proxyPort,
      relayPort,
      network: wayOut.network,
    });
  };
  const lost = Promise.withResolvers<void>();
  // A function, because the state changes while the watcher starts.
  const isRunning = () => state === 'running';
  const lose = (because?: string): void => {
    if (state !== 'running') return;
    state = 'gone';
    evidence.end(because);
    relay.close();
    lost.resolve();
  };
  const relay = createCdpPort({
    devTools: chrome.devTools,
    epoch: options.epoch,
    async beforeOpening(epoch) {
      // On disk first: a successor must never let an older epoch in again.
      newestEpoch = epoch;
      saveMarker();
      faultPoint('during-fence', sessionId ?? '');
      // No worker can attach to a page with a dialog.
      await watcher.dialogs.hold(undefined);
      await watcher.answerDialogs();
    },
    onWorkerAttached: () => (isNew = false),
    onWorkersGone: () => void watcher.answerDialogs(),
  });
  const watcher = await watchTarget({
    ...chrome,
    sessionId: () => sessionId ?? '',
    isAdopted,
    idempotencyHeader: commitKey,
    isWorkerAttached: () => relay.attachedWorkers() > 0,
    evidence: () => evidence,
    // Nothing but another Chrome brings back what its page showed.
    onRendererGone: () =>
      lose('The process that shows the page has died: the machine or the page ran out of memory, or it was killed'),
  });
  // A page may have been found dead already.
  if (isRunning()) evidence.watch(chrome.browserId);
  const collectBlocked = async () => {
    for (const blocked of await wayOut.blocked()) evidence.addBlockedOrigin(blocked);
  };
  void watcher.ended.then(() => lose());

  return {
    gone: lost.promise,
    assign(newSessionId, itsEvidence) {
      sessionId = newSessionId;
      saveMarker();
      evidence = itsEvidence;
      evidence.watch(chrome.browserId);
    },
    async openRelay(epoch) {
      const wasNew = isNew;
      const { port, token } = await relay.open(epoch).catch((error: unknown) => {
        throw error instanceof KeeperRefusal || state === 'running'
          ? error
          : noSuchBrowser(sessionId ?? '', evidence.endedBecause);
      });
      relayPort = port;
      saveMarker();
      return {
        sessionId: sessionId ?? '',
        epoch,
        browserId: chrome.browserId,
        endpoint: `ws://127.0.0.1:${port}`,
        token,
        pid: chrome.pid,
        downloads: downloadsFolder(chrome.folder),
        isNew: wasNew,
        policy: wayOut.policy,
        network: wayOut.network,
      };
    },
    collectBlocked,
    wayOutOpenSince: () => wayOut.openSince(),
    async setNetwork(network, epoch = newestEpoch) {
      if (epoch !== newestEpoch) throw notLeaseHolder(epoch, newestEpoch);
      await wayOut.allow(network);
      saveMarker();
      return wayOut.policy;
    },
    quietForMs: () => watcher.quietForMs(),
    async setIdempotencyHeader(epoch, key) {
      if (epoch !== newestEpoch) throw notLeaseHolder(epoch, newestEpoch);
      commitKey = key;
      // On disk first: a successor continues with it.
      saveMarker();
      await watcher.setIdempotencyHeader(key);
    },
    async setDeed(epoch, deed) {
      if (epoch !== newestEpoch) throw notLeaseHolder(epoch, newestEpoch);
      const mark = (commandId: string | undefined): void => {
        deedUnderWay = commandId;
        saveMarker();
        if (commandId === undefined) deedOver.resolve();
        else deedOver = Promise.withResolvers();
      };
      // On disk first, and last where it ends: a successor lets nothing leave that this keeper has held.
      if (deed !== undefined) mark(deed.commandId);
      const report = await watcher.setDeed(deed);
      if (deed === undefined && deedUnderWay !== undefined) mark(undefined);
      return report;
    },
    dialogs(epoch) {
      if (epoch !== newestEpoch) throw notLeaseHolder(epoch, newestEpoch);
      return watcher.dialogs;
    },
    openSockets: () => watcher.openSockets(),
    deedOver: () => deedOver.promise,
    list: () => ({
      sessionId: sessionId ?? '',
      pid: chrome.pid,
      epoch: relay.epoch(),
      startedAt: chrome.startedAt,
      attachedWorkers: relay.attachedWorkers(),
    }),
    async end() {
      await collectBlocked().catch(() => undefined);
      const wasGone = state === 'gone';
      // A Chrome that closes by itself may send what it holds.
      const mayClose = state === 'running' && deedUnderWay === undefined;
      const askToClose = mayClose ? () => watcher.askToClose() : undefined;
      state = 'ended';
      relay.close();
      // A page that is closed in a Chrome that runs on may send what it holds.
      if (chrome.context !== undefined && deedUnderWay !== undefined) await wayOut.close();
      await (wasGone ? endDyingChrome(chrome) : endChrome(chrome, askToClose));
      chrome.devTools.close();
      await wayOut.close();
      evidence.end();
    },
    release() {
      state = 'ended';
      evidence.release();
      relay.close();
      chrome.devTools.close({ keepsSessions: deedUnderWay !== undefined });
    },
  };
}
