import { join } from 'node:path';
import type { BrowserType } from '../../../contracts/browsers/browser-type';
import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { errorMessage } from '../../../contracts/errors/error-message';
import type { BrowserProgram } from '../../../runtime/browser-program';
import type { ChromeSandbox } from '../chrome/sandbox';
import type { Egress } from '../egress/egress';
import type { EvidenceLog } from '../evidence/evidence-log';
import type { EvidenceLogs } from '../evidence/evidence-logs';
import { browserMissing } from '../host/refusals';
import { launchBrowser } from './kept-server';
import type { KeptBrowser } from './kept-browser';
import type { Pool } from './pool';
import type { SharedChromes } from './shared-chromes';
import { startBrowser, watched } from './start-browser';

/** What a session asks for. */
export interface OpenRequest {
  sessionId: string;
  headless: boolean;
  browserType?: BrowserType | undefined;
  reservation?: string | undefined;
  /** The tenant whose sessions it shares a Chrome with. */
  sharedBy?: string | undefined;
  network?: SessionNetwork | undefined;
  startWithinMs?: number | undefined;
}

interface Starting {
  root: string;
  chromiumPath: string;
  /** What runs without windows. */
  headlessPath: string;
  programOf: (browserType: Exclude<BrowserType, 'chromium'>) => BrowserProgram;
  sandbox: ChromeSandbox | undefined;
  pool: Pool;
  shared: SharedChromes;
  logs: EvidenceLogs;
  egress: Egress;
  /** Whether there are more browsers than this host may have, with that of the session, whose place is reserved. */
  isFull: () => boolean;
}

/** Gives a session the browser that it asks for; one that does not start leaves no empty log of evidence. */
export async function startFor(wish: OpenRequest, host: Starting): Promise<KeptBrowser> {
  const evidence = host.logs.of(wish.sessionId);
  try {
    return await start(wish, host, evidence);
  } catch (error) {
    if (evidence.isBlank) host.logs.remove(wish.sessionId);
    throw error;
  }
}

async function start(wish: OpenRequest, host: Starting, evidence: EvidenceLog): Promise<KeptBrowser> {
  const { sessionId, headless, browserType = 'chromium', sharedBy, network, startWithinMs } = wish;
  const { chromiumPath, headlessPath, sandbox, pool, shared, egress, isFull } = host;
  const folder = join(host.root, sessionId);
  const program = browserType === 'chromium' ? undefined : programOf(browserType, host);
  const isPooled = program === undefined && sharedBy === undefined && headless;
  const pooled = isPooled ? pool.take() : undefined;
  // An unused Chrome of the pool makes way.
  if (pooled === undefined && isFull()) await pool.take()?.end();
  if (program !== undefined)
    return await launchBrowser({ program, sandbox, folder, headless, sessionId, evidence, egress, network });
  const session = { sessionId, evidence, egress, network };
  if (sharedBy !== undefined)
    return await watched(session, (proxyPort) => shared.open({ tenant: sharedBy, folder, proxyPort, startWithinMs }));
  if (pooled === undefined) {
    const path = headless ? headlessPath : chromiumPath;
    return await startBrowser({ ...session, chromiumPath: path, folder, sandbox, headless, startWithinMs });
  }
  try {
    pooled.assign(sessionId, evidence);
    if (network !== undefined) await pooled.setNetwork(network);
    return pooled;
  } catch (error) {
    await pooled.end();
    throw error;
  }
}

function programOf(browserType: Exclude<BrowserType, 'chromium'>, host: Starting): BrowserProgram {
  try {
    return host.programOf(browserType);
  } catch (error) {
    throw browserMissing(errorMessage(error));
  }
}
