import type { NetworkPolicy } from '../../contracts/browsers/origins';
import { endChrome, endOrphans, startChrome, withTail, type ChromeStart } from '../chrome/chrome';
import type { EvidenceLog } from '../evidence/evidence-log';
import { keepBrowser, type KeptBrowser } from './kept-browser';
import { startOriginProxy } from '../network/origin-proxy';
import { KilledWhileStarting } from '../refusals';
import { errorMessage } from '../../contracts/errors/error-message';

const TRIES = 3;

interface BrowserStart extends Omit<ChromeStart, 'network'> {
  /** Network policy; unrestricted without one. */
  policy?: NetworkPolicy | undefined;
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

async function startOnce({ policy, ...start }: BrowserStart): Promise<KeptBrowser> {
  const { sessionId, evidence } = start;
  const proxy =
    policy &&
    (await startOriginProxy({ policy, port: 0, onBlocked: (blocked) => evidence?.addBlockedOrigin(blocked) }));
  const network = policy && proxy && { policy, port: proxy.port };
  const chrome = await startChrome({ ...start, network }).catch((error: unknown) => {
    proxy?.close();
    throw error;
  });
  try {
    return await keepBrowser({ chrome, sessionId, evidence, epoch: 0, isAdopted: false, proxy });
  } catch (error) {
    proxy?.close();
    const reason = withTail(errorMessage(error), chrome.folder);
    endOrphans(chrome);
    await endChrome(chrome);
    throw new KilledWhileStarting(reason);
  }
}
