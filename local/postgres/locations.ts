import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OsUser } from './user';
import type { Reporter } from '../reporter';
import { runCommand } from '../run-command';

/** A folder that every user can enter, for a home that the user `postgres` can't enter (such as /root). */
const SHARED_FOLDER = '/var/lib/surefoot';
const WITHIN_MS = 10_000;
const OTHERS_MAY_PASS = 0o001;

/** Returns the data folder: in the home, or in the shared folder under a hash of the home's path. */
export async function locateData(
  home: string,
  user: OsUser | undefined,
  reporter: Reporter,
  sharedFolder = SHARED_FOLDER,
): Promise<string> {
  const usual = join(home, 'postgres');
  if (user === undefined) return usual;
  // The home belongs to the stack, so its mode may change; the modes of the folders above may not.
  chmodSync(home, (statSync(home).mode & 0o7777) | OTHERS_MAY_PASS);
  if (await canEnter(user, home)) return usual;
  const place = join(sharedFolder, createHash('sha256').update(home).digest('hex').slice(0, 16), 'postgres');
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  reporter.warn(`the user postgres can't enter ${home}, so the database is in ${place}`);
  return place;
}

/** Returns the folder of the binaries: the package's own, or a copy that the user can execute. */
export async function locateBinaries(
  packaged: string,
  version: string,
  user: OsUser | undefined,
  reporter: Reporter,
  sharedFolder = SHARED_FOLDER,
): Promise<string> {
  if (user === undefined || (await canEnter(user, join(packaged, 'bin')))) return packaged;
  const copy = join(sharedFolder, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  reporter.warn(`the user postgres can't enter ${dirname(packaged)}, so its programs are copied to ${copy}`);
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  // Renamed when complete, so that an interrupted copy is never used.
  const draft = join(sharedFolder, `${basename(copy)}.${process.pid}`);
  cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true });
  if (existsSync(copy)) rmSync(draft, { recursive: true });
  else renameSync(draft, copy);
  return copy;
}

/** Tries to enter the folder; file modes alone do not decide it (ACLs, security modules). */
async function canEnter(user: OsUser, folder: string): Promise<boolean> {
  const { isOk } = await runCommand('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    timeoutMs: WITHIN_MS,
    cwd: '/',
    user,
  });
  return isOk;
}
