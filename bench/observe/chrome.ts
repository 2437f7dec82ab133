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

/** Exit codes as a shell reports signals. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Starts a Chrome and attaches to it as a worker does. A signal ends the process, and the Chrome before it. */
export async function attachToChrome(chromiumPath: string): Promise<{ attachment: Attachment; stop(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const logger = pino({ enabled: false });
  const browsers = await createBrowsers({ root, chromiumPath, poolSize: 0, network: OPERATOR, logger });
  const access = await browsers.open({ sessionId: 'bench', epoch: 1, headless: true });
  const attachment = await Attachment.open(access, null, START_LIMIT_MS);
  const endBrowser = async (): Promise<void> => {
    await browsers.stop({ endBrowsers: true });
    rmSync(root, { recursive: true, force: true });
  };
  const onSignal = (signal: keyof typeof EXIT_CODES): void =>
    void endBrowser().finally(() => process.exit(EXIT_CODES[signal]));
  for (const signal of Object.keys(EXIT_CODES)) process.once(signal, onSignal);
  return {
    attachment,
    async stop() {
      for (const signal of Object.keys(EXIT_CODES)) process.off(signal, onSignal);
      await attachment.close();
      await endBrowser();
    },
  };
}
