import { endChrome, endOrphans, startChrome, type ChromeStart } from './chrome';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { KilledWhileStarting } from './refusals';

const TRIES = 3;

/** Starts a Chrome and stays attached to it from its first page on; one that is killed meanwhile gets a successor. */
export async function startBrowser(start: ChromeStart): Promise<KeptBrowser> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnce(start);
    } catch (error) {
      if (!(error instanceof KilledWhileStarting) || tried === TRIES) throw error;
    }
  }
}

async function startOnce(start: ChromeStart): Promise<KeptBrowser> {
  const chrome = await startChrome(start);
  try {
    return await keepBrowser({ chrome, sessionId: start.sessionId, epoch: 0, isAdopted: false });
  } catch (error) {
    endOrphans(chrome);
    await endChrome(chrome);
    throw new KilledWhileStarting(error instanceof Error ? error.message : String(error));
  }
}
