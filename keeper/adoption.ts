import type { Logger } from '../runtime/process';
import { endChrome, removeBrowserFolder } from './chrome';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { listMarkers, type Marker } from './marker';
import { isAlive } from '../runtime/process-identity';

/**
 * Takes over what an earlier keeper of this host left: Chromes of sessions are watched again, Chromes of its pool or
 * not yet started are ended, folders without a Chrome are removed. A process that only has the id of one of ours is
 * never touched.
 */
export async function adoptBrowsers(root: string, logger: Logger): Promise<Map<string, KeptBrowser>> {
  const adopted = new Map<string, KeptBrowser>();
  await Promise.all(
    listMarkers(root).map(async ({ folder, marker }) => {
      if (marker === undefined || !isAlive(marker)) return removeBrowserFolder(folder);
      const browser = await adopt(folder, marker, logger);
      if (browser === undefined || marker.sessionId === undefined) return endChrome({ ...marker, folder });
      adopted.set(marker.sessionId, browser);
    }),
  );
  return adopted;
}

async function adopt(folder: string, marker: Marker, logger: Logger): Promise<KeptBrowser | undefined> {
  const { sessionId, pid, epoch } = marker;
  if (sessionId === undefined || marker.port === 0) return undefined;
  try {
    const browser = await keepBrowser({ chrome: { ...marker, folder }, sessionId, epoch, isAdopted: true });
    logger.info({ sessionId, pid, epoch }, 'adopted a running Chrome');
    return browser;
  } catch (error) {
    logger.warn({ sessionId, pid, error: String(error) }, 'a running Chrome could not be adopted and is ended');
    return undefined;
  }
}
