import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attachment } from '../../activities/browsers/attachment';

const START_LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Starts a Chrome and attaches to it as a worker does, without a keeper. */
export async function attachToChrome(chromiumPath: string): Promise<{ attachment: Attachment; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--user-data-dir=${home}`,
  ];
  const child = spawn(chromiumPath, [...flags, 'about:blank'], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endpoint = await endpointIn(home);
  const attachment = await Attachment.open(
    { sessionId: 'bench', epoch: 1, endpoint, pid: child.pid!, downloads: home, isNew: true },
    null,
    START_LIMIT_MS,
  );
  return {
    attachment,
    async stop() {
      await attachment.close();
      child.kill();
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function endpointIn(home: string): Promise<string> {
  const file = join(home, 'DevToolsActivePort');
  const end = performance.now() + START_LIMIT_MS;
  while (performance.now() < end) {
    const [port, path] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (port !== undefined && path !== undefined) return `ws://127.0.0.1:${port}${path}`;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Chromium did not say its port within ${START_LIMIT_MS} ms.`);
}
