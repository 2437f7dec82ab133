import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Attachment } from '../../activities/browser/attach/attachment';
import { createBrowsers } from '../../worker/keeper/browsers/browsers';

const START_LIMIT_MS = 60_000;

/** Sites of the bench are on this machine. */
const OPERATOR = {
  allowedOrigins: [],
  privateOrigins: ['http://127.0.0.1:*', 'http://localhost:*'],
  mayGivePrivate: true,
};

/** Starts a Chrome and attaches to it as a worker does. */
export async function attachToChrome(chromiumPath: string): Promise<{ attachment: Attachment; stop(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const logger = pino({ enabled: false });
  const browsers = await createBrowsers({ root, chromiumPath, poolSize: 0, network: OPERATOR, logger });
  const access = await browsers.open({ sessionId: 'bench', epoch: 1, headless: true });
  const attachment = await Attachment.open(access, null, START_LIMIT_MS);
  return {
    attachment,
    async stop() {
      await attachment.close();
      await browsers.stop({ endBrowsers: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
}
