import { endChrome, endOrphans, startChrome, withTail, type ChromeStart } from './chrome';
import type { EvidenceLog } from './evidence-log';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { KilledWhileStarting } from './refusals';

const TRIES = 3;

interface BrowserStart extends ChromeStart {
  evidence?: EvidenceLog | undefined;
}

/** Starts a Chrome and stays attached to it from its first page on; one that is killed meanwhile gets a successor. */
export async function startBrowser(start: BrowserStart): Promise<KeptBrowser> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnce(start);
    } catch (error) {
      if (!(error instanceof KilledWhileStarting) || tried === TRIES) throw error;
    }
  }
}

async function startOnce(start: BrowserStart): Promise<KeptBrowser> {
  const chrome = await startChrome(start);
  try {
    const { sessionId, evidence } = start;
    return await keepBrowser({ chrome, sessionId, evidence, epoch: 0, isAdopted: false });
  } catch (error) {
    const reason = withTail(error instanceof Error ? error.message : String(error), chrome.folder);
    endOrphans(chrome);
    await endChrome(chrome);
    throw new KilledWhileStarting(reason);
  }
}
