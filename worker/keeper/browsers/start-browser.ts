import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { endDyingChrome, startChrome, withTail, type ChromeStart } from '../chrome/chrome';
import type { EvidenceLog } from '../evidence/evidence-log';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import type { Egress } from '../egress/egress';
import { KilledWhileStarting } from '../host/refusals';
import { errorMessage } from '../../../contracts/errors/error-message';

const TRIES = 3;

interface BrowserStart extends Omit<ChromeStart, 'proxyPort'> {
  egress: Egress;
  network?: SessionNetwork | undefined;
  evidence?: EvidenceLog | undefined;
}

/** Starts a Chrome and watches it from its first page on. A Chrome that is killed meanwhile is started again. */
export async function startBrowser(start: BrowserStart): Promise<KeptBrowser> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnce(start);
    } catch (error) {
      if (!(error instanceof KilledWhileStarting) || tried === TRIES) throw error;
    }
  }
}

async function startOnce({ egress, ...start }: BrowserStart): Promise<KeptBrowser> {
  const { sessionId, evidence, network } = start;
  const wayOut = await egress.open({ network });
  const chrome = await startChrome({ ...start, proxyPort: wayOut.port }).catch((error: unknown) => {
    void wayOut.close();
    throw error;
  });
  try {
    return await keepBrowser({ chrome, sessionId, evidence, epoch: 0, isAdopted: false, wayOut });
  } catch (error) {
    void wayOut.close();
    const reason = withTail(errorMessage(error), chrome.folder);
    await endDyingChrome(chrome);
    throw new KilledWhileStarting(reason);
  }
}
