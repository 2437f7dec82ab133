import type { Logger } from '../../runtime/process';
import { endChrome } from '../chrome/chrome';
import type { EvidenceLogs } from '../evidence/evidence-logs';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { listBrowserRecords, type BrowserRecord } from '../chrome/browser-record';
import type { Egress, WayOut } from '../egress/egress';
import { removeFolders } from '../../runtime/browser-folder';
import { isAlive } from '../../runtime/process-identity';

/**
 * Adopts the Chromes that an earlier keeper of this host left: those of sessions are watched again, those of the pool
 * or still starting are ended, folders without a Chrome are removed. A process that merely has the same id is never
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
  const { sessionId, pid, epoch, network, proxyPort } = marker;
  if (sessionId === undefined || marker.port === 0) return undefined;
  let wayOut: WayOut | undefined;
  try {
    const chrome = { ...marker, folder };
    const log = evidence.of(sessionId);
    // First: without its proxy the Chrome reaches nothing, and its pages fail.
    wayOut = await egress.open({ network, port: proxyPort });
    const browser = await keepBrowser({
      chrome,
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
    void wayOut?.close();
    logger.warn({ sessionId, pid, error: String(error) }, 'ending a running Chrome that could not be adopted');
    return undefined;
  }
}
