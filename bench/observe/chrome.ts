import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attachment } from '../../activities/browsers/attachment';
import { endChrome, startChrome } from '../../keeper/chrome/chrome';

const START_LIMIT_MS = 60_000;

/** Starts a Chrome and attaches to it as a worker does, without a relay between them. */
export async function attachToChrome(chromiumPath: string): Promise<{ attachment: Attachment; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const chrome = await startChrome({ chromiumPath, folder, headless: true });
  const { pid, port, wsPath } = chrome;
  const endpoint = `ws://127.0.0.1:${port}${wsPath}`;
  const access = { sessionId: 'bench', epoch: 1, endpoint, pid, downloads: folder, isNew: true };
  const attachment = await Attachment.open(access, null, START_LIMIT_MS);
  return {
    attachment,
    async stop() {
      await attachment.close();
      await endChrome(chrome);
    },
  };
}
