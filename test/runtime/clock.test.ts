import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOCK_BY_FILE, installClock, shiftClocks } from '../../runtime/clock';
import { faultRefusal } from '../../runtime/fault-point';
import { eventually } from '../support/eventually';

const HOUR = 3_600_000;
const RealDate = Date;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'surefoot-clock-'));
});
afterEach(() => {
  globalThis.Date = RealDate;
  rmSync(home, { recursive: true, force: true });
});

const minutesOff = (time: Date | number): number => Math.round((Number(time) - RealDate.now()) / 60_000) + 0;

test('a process with SUREFOOT_CLOCK takes its time from a file, however it reads the time', async () => {
  installClock({ ...CLOCK_BY_FILE, SUREFOOT_HOME: home });
  expect(minutesOff(new Date())).toBe(0);
  for (const hours of [1, -1, 0]) {
    shiftClocks(home, hours * HOUR);
    await eventually('the clock jumps', () => minutesOff(Date.now()) === hours * 60);
    expect([minutesOff(new Date()), minutesOff(Date.parse(new Date().toISOString()))]).toEqual([
      hours * 60,
      hours * 60,
    ]);
  }
  const given = new Date('2026-03-01T09:30:00.000Z');
  expect([given instanceof Date, given.toISOString()]).toEqual([true, '2026-03-01T09:30:00.000Z']);
});

test('a process without SUREFOOT_CLOCK keeps its clock', () => {
  shiftClocks(home, HOUR);
  installClock({ SUREFOOT_HOME: home });
  expect(Date).toBe(RealDate);
});

test('nothing of the product starts with a wrong clock unless the tests say so', () => {
  expect(faultRefusal({ SUREFOOT_CLOCK: 'by-file' })).toContain('SUREFOOT_CLOCK');
  expect(faultRefusal({ ...CLOCK_BY_FILE })).toBeUndefined();
});

test("no decision is made by the process clock: durations are monotonic, ages are the database's", () => {
  const folders = ['activities', 'cli/stack', 'runtime', 'store', 'worker'];
  const found = execFileSync('git', ['grep', '-n', 'Date.now()', '--', ...folders.map((folder) => `${folder}/**.ts`)], {
    cwd: join(__dirname, '..', '..'),
    encoding: 'utf8',
  });
  const elsewhere = found
    .trim()
    .split('\n')
    // A name of a screenshot (S1) is no decision; gRPC takes its deadlines as times of this process, and Retry-After may
    // be a date (RFC 9110); receivers of a webhook compare its time with their own, and sites that of a one-time code; a
    // page of this machine sends its time.
    .filter(
      (line) =>
        !/at - Date\.now|newScreenshotId|sessionId\}_\$\{Date\.now|withDeadline|isTime\(value|periods = Date|seconds: Math\.floor|runtime\/clock\.ts/.test(
          line,
        ),
    );
  expect(elsewhere).toEqual([]);
});
