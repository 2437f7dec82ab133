import type { Logger } from '../../../runtime/process';
import { endChrome } from '../chrome/chrome';
import type { EvidenceLogs } from '../evidence/evidence-logs';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { connectDevTools, type DevTools } from '../devtools/devtools';
import { listBrowserRecords, writeBrowserRecord, type BrowserRecord } from '../chrome/browser-record';
import type { Egress, WayOut } from '../egress/egress';
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
export async function adoptBrowsers(
  root: string,
  { evidence, egress, logger }: Adopting,
): Promise<Map<string, KeptBrowser>> {
  const adopted = new Map<string, KeptBrowser>();
  await Promise.all(
    listBrowserRecords(root).map(async ({ folder, marker }) => {
      if (marker === undefined || !isAlive(marker)) return removeFolders(folder);
      const browser = await adopt(folder, marker, { evidence, egress, logger });
      if (browser === undefined || marker.sessionId === undefined) return endChrome({ ...marker, folder });
      adopted.set(marker.sessionId, browser);
    }),
  );
  evidence.endAllExcept(new Set(adopted.keys()));
  return adopted;
}

interface Adopting {
  evidence: EvidenceLogs;
  egress: Egress;
  logger: Logger;
}

async function adopt(
  folder: string,
  marker: BrowserRecord,
  { evidence, egress, logger }: Adopting,
): Promise<KeptBrowser | undefined> {
  const { sessionId, pid, epoch, network, proxyPort, browserId, deed, keeperSession: earlierSession } = marker;
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
    // First: without its proxy the Chrome reaches nothing, and its pages fail.
    wayOut = await egress.open({ network, port: proxyPort });
    devTools = await connectDevTools(folder, { earlierSession, timeoutMs: KEEPER_DEADLINES.chromeAdoption });
    closeOnceEnded(devTools, marker);
    // Before anybody has a session in it, so that the next keeper finds them all.
    writeBrowserRecord(folder, { ...marker, keeperSession: devTools.keeperSession });
    const browser = await keepBrowser({
      chrome: { ...marker, folder, browserId, devTools },
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
