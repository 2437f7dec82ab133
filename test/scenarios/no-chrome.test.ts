/** Every Chrome of this stack is killed while it starts: a session says why and ends, and nothing is left behind. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserFilesIn } from '../keeper/fixture';
import { eventually } from '../support/eventually';
import { ONE_OF_EACH, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-no-chrome-'));
  const chrome = join(folder, 'chrome.sh');
  // Asked for its version it answers as the stack expects; else it notes that it was started and dies.
  const script = `case "$*" in *--version*) echo "Chromium 150.0";; *) echo x >> "$0.starts"; echo "out of memory" >&2; kill -9 $$;; esac`;
  writeFileSync(chrome, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  stack = await startWholeStack({ CHROMIUM_PATH: chrome }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test('a session whose Chromes are all killed at their start fails with EX001 after a few tries', async () => {
  const { sessionId } = await stack.client.start({
    steps: ['Open about:blank'],
    config: { timeouts: { maxRetryAttempts: 1, retryDelayMs: 100 } },
  });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error).toMatchObject({ code: 'EX001' });
  expect(error?.message).toContain('it ended with SIGKILL: out of memory');

  const starts = readFileSync(join(folder, 'chrome.sh.starts'), 'utf8').split('\n').length - 1;
  // Each try of the workflow is three of the keeper; its pool has three of its own every half minute.
  expect(starts).toBeLessThan(30);
  const root = join(stack.home, 'browsers');
  const left = (): string[] => readdirSync(root).flatMap((host) => browserFilesIn(join(root, host)));
  const processes = (): string[] => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  // The pool may just be trying again.
  await eventually('no folder, no evidence and no process is left', () => {
    const isRunning = processes().some((line) => line.includes(root) && line.includes('--user-data-dir'));
    return !isRunning && left().join() === 'keeper.json';
  });
  expect(left()).not.toContain(sessionId);
});
