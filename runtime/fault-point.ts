import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a test can have a process die or freeze, and what is true there. */
export const FAULT_POINTS = {
  'before-intent': 'A command is chosen; the journal knows nothing of it.',
  'after-intent': 'The intent is in the journal; nothing was done to the page.',
  'after-act': 'The page was acted on; the outcome is not in the journal.',
  'after-outcome': 'The outcome is in the journal; nobody was told yet.',
  'between-commands': 'A command is through, the next is not begun; the outcome may be on its way to the journal.',
  'before-append': 'A batch of workflow records is about to be written.',
  'after-append': 'A batch of workflow records is written; Temporal does not know that it is.',
  'during-acquire': 'The lease is taken; no Chrome was asked for.',
  'during-takeover': 'The lease was taken from another worker; the old sockets are not cut yet.',
  'during-checkpoint': 'The page is read; the checkpoint of it is not written.',
  'during-restore': 'A new Chrome has the cookies and tabs of the last one; its storage is still missing.',
  'after-reply': 'The reply of the model is kept; nothing of it is in the log.',
} as const;
export type FaultPoint = keyof typeof FAULT_POINTS;

/** `kill@after-intent:3`: SIGKILL to itself for the process that passes the point the third time; `stop` is SIGSTOP. */
interface Fault {
  deed: 'kill' | 'stop';
  point: FaultPoint;
  nth: number;
}

const SIGNALS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const;
/** The value of SUREFOOT_FAULT that has the faults read from a file each time, so that a test can change them. */
const BY_FILE = 'by-file';
const ALLOWED = 'for-tests';

/** Does nothing unless SUREFOOT_FAULT is set, which no production process starts with. */
export function faultPoint(point: FaultPoint): void {
  const wanted = process.env['SUREFOOT_FAULT'];
  if (wanted) passFaultPoint(point, wanted, process.env['SUREFOOT_HOME'] || '.surefoot');
}

/** Why a process with this environment must not start; undefined when it may. */
export function faultRefusal(env: NodeJS.ProcessEnv): string | undefined {
  if (env['SUREFOOT_FAULTS_ALLOWED'] === ALLOWED) return undefined;
  const isFor = (what: string): string =>
    `${what} It is for tests alone: unset it, or set SUREFOOT_FAULTS_ALLOWED=${ALLOWED} as well.`;
  if (env['SUREFOOT_FAULT']) return isFor('SUREFOOT_FAULT is set, which makes processes kill themselves on purpose.');
  if (env['SUREFOOT_CLOCK']) return isFor('SUREFOOT_CLOCK is set, which makes clocks wrong on purpose.');
  return undefined;
}

/** What a stack has to be started with, for `armFaults` to reach its processes. */
export const FAULTS_BY_FILE = { SUREFOOT_FAULT: BY_FILE, SUREFOOT_FAULTS_ALLOWED: ALLOWED } as const;

/** From now on these faults and no others, each once, counted from now, over all processes of this home. */
export function armFaults(home: string, faults: string): void {
  parse(faults);
  rmSync(folderOf(home), { recursive: true, force: true });
  mkdirSync(folderOf(home), { recursive: true });
  writeFileSync(join(folderOf(home), 'armed'), faults);
}

/** How many of the armed faults have happened. */
export function faultsFired(home: string): number {
  return parse(read(join(folderOf(home), 'armed'))).filter((fault) => exists(firedFile(home, fault))).length;
}

function passFaultPoint(point: FaultPoint, wanted: string, home: string): void {
  const faults = parse(wanted === BY_FILE ? read(join(folderOf(home), 'armed')) : wanted);
  const mine = faults.filter((fault) => fault.point === point);
  if (mine.length === 0) return;
  const count = countPassing(home, point);
  for (const fault of mine) {
    if (fault.nth !== count || !claim(home, fault)) continue;
    process.kill(process.pid, SIGNALS[fault.deed]);
  }
}

function parse(text: string): Fault[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, deed, point, nth] = /^(kill|stop)@([a-z-]+):([1-9]\d*)$/.exec(part.trim()) ?? [];
      if (point === undefined || !(point in FAULT_POINTS)) {
        const points = Object.keys(FAULT_POINTS).join(', ');
        throw new Error(
          `SUREFOOT_FAULT: expected kill@<point>:<n> or stop@<point>:<n>, got “${part}”. Points: ${points}.`,
        );
      }
      return { deed: deed as Fault['deed'], point: point as FaultPoint, nth: Number(nth) };
    });
}

/** One byte a passing: appending is the one way to count that several processes can share without a lock. */
function countPassing(home: string, point: FaultPoint): number {
  const file = join(folderOf(home), `${point}.passed`);
  mkdirSync(folderOf(home), { recursive: true });
  appendFileSync(file, '.');
  return statSync(file).size;
}

/** True for one process alone, and for no later start of it. */
function claim(home: string, fault: Fault): boolean {
  try {
    closeSync(openSync(firedFile(home, fault), 'wx'));
    return true;
  } catch {
    return false;
  }
}

function folderOf(home: string): string {
  return join(home, 'faults');
}

function firedFile(home: string, { deed, point, nth }: Fault): string {
  return join(folderOf(home), `${deed}-${point}-${nth}.fired`);
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
