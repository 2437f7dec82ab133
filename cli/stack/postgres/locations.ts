import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canEnter, type OsUser } from '../../../runtime/system-user';
import { makeUsersFolder } from '../../../runtime/users-folder';
import { lastLine, runProgram } from '../../../runtime/run-command';
import type { Reporter } from '../reporting/reporter';
import { StackError } from '../reporting/stack-error';

const MOVE_MS = 600_000;

/**
 * Returns the data folder: in the home, or, where the server runs as another user than the stack, in the folder of such
 * users. Data that an earlier version left in the home is moved there.
 */
export async function locateData(
  home: string,
  user: OsUser | undefined,
  reporter: Reporter,
  usersRoot: string,
): Promise<string> {
  const usual = join(home, 'postgres');
  if (user === undefined) return usual;
  const { folder, aside } = makeUsersFolder(home, usersRoot);
  if (aside !== undefined)
    reporter.warn(
      `an earlier ${home} that was removed has left its database, which is now in ${aside}; remove it if nobody needs it`,
    );
  if (!(await canEnter(user, folder)))
    throw new StackError(
      `The user postgres can't enter ${folder}, where the database would be. ` +
        'Name a folder that every user can enter in SUREFOOT_USERS_FOLDER, or set DATABASE_URL to a database that runs.',
    );
  const place = join(folder, 'postgres');
  if (existsSync(usual) && !existsSync(place)) {
    await moveData(usual, place);
    reporter.warn(`the database is moved to ${place}, since nobody but root may enter ${home}`);
  }
  return place;
}

/** Returns the folder of the binaries: the package's own, or a copy that the user can execute. */
export async function locateBinaries(
  packaged: string,
  version: string,
  user: OsUser | undefined,
  reporter: Reporter,
  usersRoot: string,
): Promise<string> {
  if (user === undefined || (await canEnter(user, join(packaged, 'bin')))) return packaged;
  const copy = join(usersRoot, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  reporter.warn(`the user postgres can't enter ${dirname(packaged)}, so its programs are copied to ${copy}`);
  mkdirSync(usersRoot, { recursive: true });
  chmodSync(usersRoot, 0o711);
  // Renamed when complete, so that an interrupted copy is never used.
  const draft = join(usersRoot, `${basename(copy)}.${process.pid}`);
  cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true });
  if (existsSync(copy)) rmSync(draft, { recursive: true });
  else renameSync(draft, copy);
  return copy;
}

/** To another file system it is copied, with its owner, and renamed when complete. */
async function moveData(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const draft = `${to}.moved`;
    rmSync(draft, { recursive: true, force: true });
    const { isOk, output } = await runProgram('cp', ['-a', from, draft], { timeoutMs: MOVE_MS });
    if (!isOk) throw new StackError(`The database in ${from} could not be moved to ${to}: ${lastLine(output)}`);
    renameSync(draft, to);
    rmSync(from, { recursive: true });
  }
}
