import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attachment } from '../../activities/browsers/attachment';
import { endChrome, startChrome } from '../../keeper/chrome/chrome';
import { createEgress } from '../../keeper/egress/egress';

const START_LIMIT_MS = 60_000;

/** Sites of the bench are on this machine. */
const OPERATOR = {
  allowedOrigins: [],
  privateOrigins: ['http://127.0.0.1:*', 'http://localhost:*'],
  mayGivePrivate: true,
};

/** Starts a Chrome and attaches to it as a worker does, without a relay between them. */
export async function attachToChrome(chromiumPath: string): Promise<{ attachment: Attachment; stop(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const folder = join(root, 'chrome');
  const egress = createEgress({ root, operator: OPERATOR });
  const wayOut = await egress.open();
  const chrome = await startChrome({ chromiumPath, folder, headless: true, proxyPort: wayOut.port });
  const { pid, port, wsPath } = chrome;
  const { network, policy } = wayOut;
  const endpoint = `ws://127.0.0.1:${port}${wsPath}`;
  const access = { sessionId: 'bench', epoch: 1, endpoint, pid, downloads: folder, isNew: true, network, policy };
  const attachment = await Attachment.open(access, null, START_LIMIT_MS);
  return {
    attachment,
    async stop() {
      await attachment.close();
      await endChrome(chrome);
      egress.stop({ endBrowsers: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
}
