import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStackFile } from '../../runtime/settings/stack-file';
import { endProcess } from './end-process';
import { isAlive, ProcessIdentitySchema, startTicksOf, type ProcessIdentity } from '../../runtime/process-identity';
import { withProgress, type Reporter } from '../reporter';
import { parseJson, runFolder } from './run-files';
import { StackError } from '../stack-error';

/** A supervisor that was asked to end stops its whole stack first. */
const REPLACE_WITHIN_MS = 40_000;
const ATTEMPTS = 5;

/** Makes this process the only supervisor of the home; returns how to give that up. */
export async function acquireSupervisorLock(
  home: string,
  isReplacing: boolean,
  reporter: Reporter,
): Promise<() => void> {
  const file = join(runFolder(home), 'supervisor.lock');
  mkdirSync(runFolder(home), { recursive: true });
  const startTicks = startTicksOf(process.pid);
  if (startTicks === undefined)
    throw new StackError('This machine does not tell when a process started: `ps` is missing.');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(file, { pid: process.pid, startTicks })) return () => rmSync(file, { force: true });
    const holder = holderOf(file);
    if (holder !== undefined) {
      if (!isReplacing || holder.pid === process.pid) throw refusal(home, holder.pid);
      await withProgress(reporter, `waiting for the stack of pid ${holder.pid} to end, at most 40 seconds`, () =>
        endProcess(holder, 'SIGTERM', REPLACE_WITHIN_MS),
      );
    }
    clearStale(file);
  }
  throw new StackError(`Other supervisors keep taking ${file}. Start one stack at a time.`);
}

/** The supervisor that holds the lock, if it is alive; a file cut short holds nothing. */
function holderOf(file: string): ProcessIdentity | undefined {
  const parsed = ProcessIdentitySchema.safeParse(parseJson(file));
  return parsed.success && isAlive(parsed.data) ? parsed.data : undefined;
}

/** Two starts may clear the same stale lock: the later one must not take away what the earlier one has just made. */
function clearStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (holderOf(aside) !== undefined) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The file appears with its content or not at all: a link to a finished file fails when the name is taken. */
function create(file: string, owner: ProcessIdentity): boolean {
  const draft = `${file}.${owner.pid}`;
  writeFileSync(draft, JSON.stringify(owner));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function refusal(home: string, pid: number): StackError {
  const address = readStackFile(home)?.api;
  const where = address === undefined ? '' : ` at ${address}`;
  return new StackError(
    `A stack is already running in ${home} (supervisor pid ${pid}${where}). ` +
      `Use that one, end it with \`kill ${pid}\`, or start another beside it with SUREFOOT_HOME=<other folder>.`,
  );
}
