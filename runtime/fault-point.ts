import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from './settings/definitions';
import { FAULTS } from './settings/process-definitions';
import { readSetting } from './settings/setting';

/** The points at which a test can kill or freeze a process, and the state at each. */
export const FAULT_POINTS = {
  'before-intent': 'A command is chosen; it is not in the journal.',
  'after-intent': 'The intent is in the journal; nothing was done to the page.',
  'after-act': 'The page was acted on; the outcome is not in the journal.',
  'after-outcome': 'The outcome is in the journal; it is not published.',
  'between-commands': 'A command is through, the next is not begun; the outcome may be on its way to the journal.',
  'between-steps': 'A step is done by its browser worker, which has not written that, nor begun the next one.',
  'before-append': 'A batch of workflow records is about to be written.',
  'after-append': 'A batch of workflow records is written; Temporal does not know that it is.',
  'during-acquire': 'The lease is taken; no Chrome was asked for.',
  'during-takeover': 'The lease was taken from another worker; the old sockets are not cut yet.',
  'during-fence': 'The keeper has cut off the last worker; what that one sent may not be read, and no other is let in.',
  'during-judgement': 'Chrome holds a request of an approved command; the keeper has not judged it.',
  'during-checkpoint': 'The page is read; the checkpoint of it is not written.',
  'during-restore': 'A new Chrome has the cookies and tabs of the last one; its storage is still missing.',
  'during-model-call': 'The model is called; nothing of its reply is stored.',
  'after-reply': 'The reply of the model is stored; nothing of it is in the log.',
  'during-look': 'Another tab shows whether it has happened; nobody knows what it shows.',
  'before-turn': 'The first messages of a turn are in the conversation; the model is not called.',
  'before-plan': 'The reply of a turn is in the log; none of its calls is planned.',
  'during-tool': 'A tool of the engine workers runs; nothing of its result is stored.',
  'during-handover': 'The next run of a session is entered in its row; Temporal does not know that it is.',
  'after-message': 'A message is stored; its session does not know of it.',
  'before-settle': 'A session has applied a message; the answer is not stored with it.',
} as const;
export type FaultPoint = keyof typeof FAULT_POINTS;

/**
 * `kill@after-intent:3`: the process that passes the point the third time sends itself SIGKILL; `stop` is SIGSTOP, and `loop`
 * keeps its only thread for good, `block` in a call of native code.
 */
interface Fault {
  action: 'kill' | 'stop' | 'loop' | 'block';
  point: FaultPoint;
  nth: number;
}

const SIGNALS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const;
/** The value of SUREFOOT_FAULT that has the faults read from a file each time, so that a test can change them. */
const BY_FILE = 'by-file';
const ALLOWED = 'for-tests';
const ANY_SESSION = 'any';

/** Does nothing unless SUREFOOT_FAULT is set, which no production process starts with. */
export function faultPoint(point: FaultPoint, sessionId: string): void {
  const wanted = process.env[FAULTS.fault.env];
  if (!wanted) return;
  const folder = folderOf(readSetting(SETTINGS.home, process.env));
  if (wanted !== BY_FILE) return pass(point, { faults: parse(wanted), counts: folder });
  for (const scope of [ANY_SESSION, sessionId]) pass(point, readArmed(folder, scope));
}

/** Why a process with this environment must not start; undefined when it may. */
export function faultRefusal(env: NodeJS.ProcessEnv): string | undefined {
  if (env[FAULTS.faultsAllowed.env] === ALLOWED) return undefined;
  const isFor = (what: string): string =>
    `${what} It is for tests alone: unset it, or set SUREFOOT_FAULTS_ALLOWED=${ALLOWED} as well.`;
  if (env[FAULTS.fault.env]) return isFor('SUREFOOT_FAULT is set, which makes processes kill themselves on purpose.');
  if (env[FAULTS.clock.env]) return isFor('SUREFOOT_CLOCK is set, which makes clocks wrong on purpose.');
  return undefined;
}

/** What a stack has to be started with, for `armFaults` to reach its processes. */
export const FAULTS_BY_FILE = { SUREFOOT_FAULT: BY_FILE, SUREFOOT_FAULTS_ALLOWED: ALLOWED } as const;

/**
 * From now on these faults and no others, each once, counted from now over all processes of this home. With a session
 * they count that session's passings alone, beside what is armed for others.
 */
export function armFaults(home: string, faults: string, sessionId: string = ANY_SESSION): void {
  parse(faults);
  const folder = folderOf(home);
  mkdirSync(folder, { recursive: true });
  const counts = mkdtempSync(join(folder, `${sessionId}-`));
  const draft = join(counts, 'armed');
  writeFileSync(draft, JSON.stringify({ counts, faults }));
  // Renamed, so that a process that passes just now counts in the old folder or in the new one.
  renameSync(draft, armedFile(folder, sessionId));
}

interface FiredFault {
  point: FaultPoint;
  at: Date;
  /** The process that has signalled itself. */
  pid: number;
}

/** The armed faults that have happened. */
export function faultsFired(home: string, sessionId: string = ANY_SESSION): FiredFault[] {
  const { faults, counts } = readArmed(folderOf(home), sessionId);
  return faults.flatMap((fault) => {
    const path = firedFile(counts, fault);
    const file = statSync(path, { throwIfNoEntry: false });
    // Its process has the file before it writes into it.
    const pid = file === undefined ? NaN : Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(pid) ? [] : [{ point: fault.point, at: file!.mtime, pid }];
  });
}

/** Faults, and the folder in which their passings are counted. */
interface Armed {
  faults: Fault[];
  counts: string;
}

function readArmed(folder: string, scope: string): Armed {
  try {
    const armed = JSON.parse(readFileSync(armedFile(folder, scope), 'utf8')) as { faults: string; counts: string };
    return { faults: parse(armed.faults), counts: armed.counts };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { faults: [], counts: folder };
    throw error;
  }
}

function pass(point: FaultPoint, { faults, counts }: Armed): void {
  const mine = faults.filter((fault) => fault.point === point);
  if (mine.length === 0) return;
  const count = countPassing(counts, point);
  for (const fault of mine) {
    if (fault.nth !== count || !lockFault(counts, fault)) continue;
    if (fault.action === 'loop') loopForEver();
    else if (fault.action === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    else process.kill(process.pid, SIGNALS[fault.action]);
  }
}

function loopForEver(): never {
  for (;;);
}

function parse(text: string): Fault[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, action, point, nth] = /^(kill|stop|loop|block)@([a-z-]+):([1-9]\d*)$/.exec(part.trim()) ?? [];
      if (point === undefined || !(point in FAULT_POINTS)) {
        const points = Object.keys(FAULT_POINTS).join(', ');
        throw new Error(
          `SUREFOOT_FAULT: expected kill@<point>:<n>, or stop, loop or block, got “${part}”. Points: ${points}.`,
        );
      }
      return { action: action as Fault['action'], point: point as FaultPoint, nth: Number(nth) };
    });
}

/** One byte a passing: appending is the one way to count that several processes can share without a lock. */
function countPassing(counts: string, point: FaultPoint): number {
  const file = join(counts, `${point}.passed`);
  mkdirSync(counts, { recursive: true });
  appendFileSync(file, '.');
  return statSync(file).size;
}

/** True for one process alone, and for no later start of it. */
function lockFault(counts: string, fault: Fault): boolean {
  try {
    writeFileSync(firedFile(counts, fault), String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function folderOf(home: string): string {
  return join(home, 'faults');
}

function armedFile(folder: string, scope: string): string {
  return join(folder, `${scope}.json`);
}

function firedFile(counts: string, { action, point, nth }: Fault): string {
  return join(counts, `${action}-${point}-${nth}.fired`);
}
