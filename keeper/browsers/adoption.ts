import type { Logger } from '../../runtime/process';
import { endChrome } from '../chrome/chrome';
import type { EvidenceLogs } from '../evidence/evidence-logs';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { listBrowserRecords, type BrowserRecord } from '../chrome/browser-record';
import { startOriginProxy, type OriginProxy } from '../network/origin-proxy';
import { removeFolders } from '../../runtime/browser-folder';
import { isAlive } from '../../runtime/process-identity';

/**
 * Adopts the Chromes that an earlier keeper of this host left: those of sessions are watched again, those of the pool
 * or still starting are ended, folders without a Chrome are removed. A process that merely has the same id is never
 * touched.
 */
export async function adoptBrowsers(
  root: string,
  evidence: EvidenceLogs,
  logger: Logger,
): Promise<Map<string, KeptBrowser>> {
  const adopted = new Map<string, KeptBrowser>();
  await Promise.all(
    listBrowserRecords(root).map(async ({ folder, marker }) => {
      if (marker === undefined || !isAlive(marker)) return removeFolders(folder);
      const browser = await adopt(folder, marker, evidence, logger);
      if (browser === undefined || marker.sessionId === undefined) return endChrome({ ...marker, folder });
      adopted.set(marker.sessionId, browser);
    }),
  );
  evidence.endAllExcept(new Set(adopted.keys()));
  return adopted;
}

async function adopt(
  folder: string,
  marker: BrowserRecord,
  evidence: EvidenceLogs,
  logger: Logger,
): Promise<KeptBrowser | undefined> {
  const { sessionId, pid, epoch, network } = marker;
  if (sessionId === undefined || marker.port === 0) return undefined;
  let proxy: OriginProxy | undefined;
  try {
    const chrome = { ...marker, folder };
    const log = evidence.of(sessionId);
    // First: without its proxy the Chrome reaches nothing, and its pages fail.
    proxy = network && (await startOriginProxy({ ...network, onBlocked: (blocked) => log.addBlockedOrigin(blocked) }));
    const browser = await keepBrowser({
      chrome,
      sessionId,
      evidence: log,
      epoch,
      isAdopted: true,
      idempotencyHeader: marker.idempotencyHeader,
      proxy,
    });
    logger.info({ sessionId, pid, epoch }, 'adopted a running Chrome');
    return browser;
  } catch (error) {
    proxy?.close();
    logger.warn({ sessionId, pid, error: String(error) }, 'ending a running Chrome that could not be adopted');
    return undefined;
  }
}
