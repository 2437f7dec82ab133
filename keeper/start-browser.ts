import { endChrome, startChrome, type ChromeStart } from './chrome';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { couldNotStart } from './refusals';

/** Starts a Chrome and stays attached to it from its first page on. */
export async function startBrowser(start: ChromeStart): Promise<KeptBrowser> {
  const chrome = await startChrome(start);
  try {
    return await keepBrowser({ chrome, sessionId: start.sessionId, epoch: 0, isAdopted: false });
  } catch (error) {
    await endChrome(chrome);
    throw couldNotStart(start.chromiumPath, error instanceof Error ? error.message : String(error));
  }
}
