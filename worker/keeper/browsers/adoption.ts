import { basename } from 'node:path';
import type { Logger } from '../../../runtime/process';
import { endChrome } from '../chrome/chrome';
import type { EvidenceLogs } from '../evidence/evidence-logs';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { connectDevTools, type DevTools } from '../devtools/devtools';
import { listBrowserRecords, writeBrowserRecord, type BrowserRecord } from '../chrome/browser-record';
import type { Egress, WayOut } from '../egress/egress';
import type { PartOfChrome, SharedChromes } from './shared-chromes';
import { removeFolders } from '../../../runtime/browser-folder';
import { isAlive, type ProcessIdentity } from '../../../runtime/process-identity';

const CHECK_MS = 1000;
/** Chrome sends what it holds as soon as it is let go, and only the keeper that held it knew what was approved. */
const HELD_REQUESTS =
  'Its keeper ended while it judged what an approved command sends, so the Chrome was ended before that could leave';

/**
 * Adopts the Chromes that an earlier keeper of this host left: those of sessions are watched again, those of the pool
 * or still starting are ended, and those that hold requests of an approved command; folders without a Chrome are removed. A process that merely has the same id is never
 * touched.
 */
export async function adoptBrowsers(root: string, deps: Adopting): Promise<Map<string, KeptBrowser>> {
  const adopted = new Map<string, KeptBrowser>();
  const found = await Promise.all(
    listBrowserRecords(root).map(async ({ folder, marker }): Promise<Left[]> => {
      if (marker !== undefined && isAlive(marker)) return [{ folder, marker }];
      await removeFolders(folder);
      return [];
    }),
  );
  const left = found.flat();
  const keep = async (each: Left, connected?: PartOfChrome): Promise<void> => {
    const browser = await adopt(each, deps, connected);
    if (browser !== undefined) adopted.set(each.marker.sessionId!, browser);
    else await endChrome({ ...each.marker, folder: each.folder, context: connected?.context });
  };
  await Promise.all(
    left.map(async (each) => {
      const { context } = each.marker;
      if (context !== undefined) {
        const hasChrome = left.some(({ folder }) => basename(folder) === context.of);
        return hasChrome ? undefined : await removeFolders(each.folder);
      }
      if (each.marker.sharedBy === undefined) return await keep(each);
      const sharing = left.filter(({ marker }) => marker.context?.of === basename(each.folder));
      const partOf = await adoptShared(each, sharing, deps);
      await Promise.all(
        sharing.map(async (session) => {
          const connected = partOf(session.marker.context!.id, session.folder);
          await (connected === undefined ? removeFolders(session.folder) : keep(session, connected));
        }),
      );
    }),
  );
  deps.evidence.endAllExcept(new Set(adopted.keys()));
  return adopted;
}

interface Adopting {
  evidence: EvidenceLogs;
  egress: Egress;
  shared: SharedChromes;
  logger: Logger;
}

/** A Chrome that runs, or a session's part of one. */
interface Left {
  folder: string;
  marker: BrowserRecord;
}

/** Adopts a Chrome that sessions share; one that nobody can use, or that holds what only its keeper knew, is ended with its sessions. */
async function adoptShared(
  { folder, marker }: Left,
  sharing: readonly Left[],
  { evidence, egress, shared, logger }: Adopting,
): ReturnType<SharedChromes['adopt']> {
  const { sharedBy, browserId, pid } = marker;
  const holding = sharing.find(({ marker: { deed } }) => deed !== undefined);
  if (holding !== undefined) {
    const { sessionId, deed } = holding.marker;
    logger.warn({ sessionId, pid, commandId: deed }, HELD_REQUESTS);
    for (const { marker: its } of sharing) evidence.of(its.sessionId!).end(HELD_REQUESTS);
  } else if (sharedBy !== undefined && browserId !== undefined && sharing.length > 0) {
    let connected: { wayOut: WayOut; devTools: DevTools } | undefined;
    try {
      connected = await connect({ folder, marker }, egress);
      const contexts = new Set(sharing.map((session) => session.marker.context!.id));
      const partOf = await shared.adopt({
        folder,
        marker: { ...marker, sharedBy, browserId },
        ...connected,
        contexts,
      });
      logger.info({ pid, sessions: sharing.length }, 'adopted a Chrome that sessions share');
      return partOf;
    } catch (error) {
      connected?.devTools.close();
      void connected?.wayOut.close();
      logger.warn({ pid, error: String(error) }, 'ending a shared Chrome that could not be adopted');
    }
  }
  await endChrome({ ...marker, folder, context: undefined });
  return () => undefined;
}

/** Connects a Chrome of its own process to this keeper, and to the network. */
async function connect({ folder, marker }: Left, egress: Egress): Promise<{ wayOut: WayOut; devTools: DevTools }> {
  const { network, proxyPort, keeperSession: earlierSession } = marker;
  // First: without its proxy the Chrome reaches nothing, and its pages fail.
  const wayOut = await egress.open({ network, port: proxyPort });
  try {
    const timeoutMs = KEEPER_DEADLINES.chromeAdoption;
    const devTools = await connectDevTools(folder, { earlierSession, timeoutMs });
    closeOnceEnded(devTools, marker);
    // Before anybody has a session in it, so that the next keeper finds them all.
    writeBrowserRecord(folder, { ...marker, keeperSession: devTools.keeperSession });
    return { wayOut, devTools };
  } catch (error) {
    void wayOut.close();
    throw error;
  }
}

async function adopt(
  { folder, marker }: Left,
  { evidence, egress, logger }: Adopting,
  shared?: PartOfChrome,
): Promise<KeptBrowser | undefined> {
  const { sessionId, pid, epoch, browserId, deed } = marker;
  if (sessionId === undefined || browserId === undefined) return undefined;
  if (deed !== undefined) {
    logger.warn({ sessionId, pid, commandId: deed }, HELD_REQUESTS);
    evidence.of(sessionId).end(HELD_REQUESTS);
    return undefined;
  }
  let wayOut: WayOut | undefined;
  let devTools: DevTools | undefined;
  try {
    const log = evidence.of(sessionId);
    if (shared === undefined) ({ wayOut, devTools } = await connect({ folder, marker }, egress));
    else [wayOut, devTools] = [await egress.open({ network: marker.network, port: marker.proxyPort }), shared.devTools];
    const browser = await keepBrowser({
      chrome: { ...marker, folder, browserId, devTools, context: shared?.context },
      sessionId,
      evidence: log,
      epoch,
      isAdopted: true,
      idempotencyHeader: marker.idempotencyHeader,
      wayOut,
    });
    logger.info({ sessionId, pid, epoch }, 'adopted a running Chrome');
    return browser;
  } catch (error) {
    devTools?.close();
    void wayOut?.close();
    logger.warn({ sessionId, pid, error: String(error) }, 'ending a running Chrome that could not be adopted');
    return undefined;
  }
}

/** No event says that a process of another parent has ended, and a child of a wrapper script may hold the pipes open. */
function closeOnceEnded(devTools: DevTools, chrome: ProcessIdentity): void {
  const checking = setInterval(() => {
    if (!isAlive(chrome)) devTools.close();
  }, CHECK_MS);
  checking.unref();
  void devTools.closed.then(() => clearInterval(checking));
}
