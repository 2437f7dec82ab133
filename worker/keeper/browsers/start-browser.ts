import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { endDyingChrome, startChrome, withTail, type Chrome, type ChromeStart } from '../chrome/chrome';
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
export function startBrowser(start: BrowserStart): Promise<KeptBrowser> {
  return watched(start, (proxyPort) => startChrome({ ...start, proxyPort }));
}

/** The same of a part of a Chrome that others may share. */
export async function watched(
  session: Pick<BrowserStart, 'egress' | 'network' | 'evidence' | 'sessionId'>,
  start: (proxyPort: number) => Promise<Chrome>,
): Promise<KeptBrowser> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnce(session, start);
    } catch (error) {
      if (!(error instanceof KilledWhileStarting) || tried === TRIES) throw error;
    }
  }
}

async function startOnce(
  { egress, sessionId, evidence, network }: Parameters<typeof watched>[0],
  start: (proxyPort: number) => Promise<Chrome>,
): Promise<KeptBrowser> {
  const wayOut = await egress.open({ network });
  const chrome = await start(wayOut.port).catch((error: unknown) => {
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
