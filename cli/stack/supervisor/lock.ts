import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE } from '../../../runtime/private-folder';
import { readStackFile } from '../../../runtime/settings/stack-file';
import { endProcess } from './end-process';
import { isAlive, ProcessIdentitySchema, startTicksOf, type ProcessIdentity } from '../../../runtime/process-identity';
import { withProgress, type Reporter } from '../reporting/reporter';
import { parseJson, runFolder } from './run-files';
import { StackError } from '../reporting/stack-error';

/** A supervisor stops its whole stack before it ends. */
const REPLACE_WITHIN_MS = 40_000;
const ATTEMPTS = 5;

/** Makes this process the only supervisor of the home; returns a function that releases the lock. */
export async function acquireSupervisorLock(
  home: string,
  isReplacing: boolean,
  reporter: Reporter,
): Promise<() => void> {
  const file = join(runFolder(home), 'supervisor.lock');
  mkdirSync(runFolder(home), { recursive: true, mode: PRIVATE.folder });
  const startTicks = startTicksOf(process.pid);
  if (startTicks === undefined)
    throw new StackError('This machine does not show when a process started: `ps` is missing.');
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
  throw new StackError(`Other supervisors keep acquiring ${file}. Start one stack at a time.`);
}

/** Returns the live supervisor that holds the lock; an incomplete file has no holder. */
function holderOf(file: string): ProcessIdentity | undefined {
  const parsed = ProcessIdentitySchema.safeParse(parseJson(file));
  return parsed.success && isAlive(parsed.data) ? parsed.data : undefined;
}

/**
 * Removes a stale lock. Of two starts that do so at once, the later one must not remove the new lock of the earlier
 * one.
 */
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

/** Creates the lock with its content in one step: linking a complete file fails when the name exists. */
function create(file: string, owner: ProcessIdentity): boolean {
  const draft = `${file}.${owner.pid}`;
  writeFileSync(draft, JSON.stringify(owner), { mode: PRIVATE.file });
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
