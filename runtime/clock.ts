import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from './settings/definitions';
import { FAULTS } from './settings/process-definitions';
import { readSetting } from './settings/setting';

const LOOK_EVERY_MS = 20;
/** The value of SUREFOOT_CLOCK that has a process add the milliseconds in a file to every time it reads. */
const BY_FILE = 'by-file';

/** Environment of a stack whose clocks `shiftClocks` can change. */
export const CLOCK_BY_FILE = { SUREFOOT_CLOCK: BY_FILE, SUREFOOT_FAULTS_ALLOWED: 'for-tests' } as const;

/** For tests: sets the clocks of the processes of this home so many milliseconds ahead or behind. */
export function shiftClocks(home: string, offsetMs: number): void {
  writeFileSync(`${fileOf(home)}.part`, String(offsetMs));
  renameSync(`${fileOf(home)}.part`, fileOf(home));
}

/**
 * Gives this process a clock of its own when SUREFOOT_CLOCK says so; whether that is allowed is for `faultRefusal`.
 * It takes the place of Date itself, so that no line, ours or a library's, can go round it. Timers and
 * `performance.now` stay as they are: a machine whose clock is set has those right as well.
 */
export function installClock(env: NodeJS.ProcessEnv): void {
  if (env[FAULTS.clock.env] !== BY_FILE) return;
  const file = fileOf(readSetting(SETTINGS.home, env));
  const Real = Date;
  let offsetMs = readOffset(file);
  setInterval(() => (offsetMs = readOffset(file)), LOOK_EVERY_MS).unref();
  const now = (): number => Real.now() + offsetMs;
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
}

function fileOf(home: string): string {
  return join(home, 'clock-offset-ms');
}

function readOffset(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
