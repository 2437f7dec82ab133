/**
 * The disk of the artifacts is full, really: a small tmpfs where mounting is allowed, else a limit on the size of files
 * that the browser workers may write. Proves: the run goes on, warned (EX005) and without pictures; with room again it has them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogRecord } from '../../contracts/events/log';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { takenForDead } from '../support/presumed-dead';
import { ONE_OF_EACH, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let folder: string;
let way: 'tmpfs' | 'file size limit';

beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  folder = join(stack.home, 'artifacts');
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' });
    way = 'tmpfs';
  } catch {
    way = 'file size limit';
  }
  process.stderr.write(`disk-full ran with a ${way}\n`);
}, 180_000);
afterAll(async () => {
  await stack.stop().catch(() => undefined);
  if (way === 'tmpfs') execFileSync('umount', ['-l', folder]);
  rmSync(stack.home, { recursive: true, force: true });
}, 120_000);

function fill(): void {
  if (way === 'tmpfs') {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize));
  } else limitFiles('0');
}

function free(): void {
  if (way === 'tmpfs') rmSync(join(folder, 'ballast'));
  else limitFiles('unlimited');
}

function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(stack.pidOf('browser-1')), `--fsize=${bytes}:unlimited`]);
}

const warnings = (log: readonly LogRecord[]): string[] =>
  log.flatMap(({ data: { warning } }) => (warning?.code === 'EX005' ? [warning.message] : []));

it('a run goes on with warnings while its artifacts find no room, and has them again once there is some', async () => {
  const clicks = Array.from({ length: 6 }, () => 'Click "Add one"');
  fill();
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`, ...clicks, 'Wait 2 seconds', 'Expect "6"'],
  });
  await recordOf(
    stack,
    sessionId,
    'the third step',
    ({ stepIndex, type }) => stepIndex === 2 && type === 'STEP_COMPLETED',
  );
  free();
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const warned = warnings(log);
  expect(warned).toContainEqual(expect.stringMatching(/^No screenshot of OPEN_PAGE: .*its disk is full/));
  expect(warned).toContainEqual(expect.stringMatching(/^No DOM of OPEN_PAGE: .*its disk is full/));
  // Nothing was tried again for it.
  const entries = await stack.engineStore.journal.ofSession(sessionId);
  const stalls = await takenForDead(stack, sessionId);
  expect(entries.filter(({ status, attempts }) => status !== 'done' || attempts > 1 + stalls)).toEqual([]);
  const shots = await stack.client.screenshots(sessionId);
  const pictures = warned.filter((message) => message.startsWith('No screenshot')).length;
  expect(Math.abs(entries.length - pictures - shots.length)).toBeLessThanOrEqual(stalls);
  expect(shots.length).toBeGreaterThan(0);
  expect(readdirSync(join(folder, sessionId)).filter((name) => name.endsWith('.part'))).toEqual([]);
}, 240_000);
