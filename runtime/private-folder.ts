import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the owner alone has: nobody else may read, write or enter. */
export const PRIVATE = { folder: 0o700, file: 0o600, umask: 0o077 } as const;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** A folder that somebody else than its owner controls; the message says what to do. */
export class FolderNotPrivate extends Error {}

/**
 * Creates the folder where it is missing and closes it, with all that is in it unless `isDeep` is false, to everybody but
 * its owner. Returns
 * sentences about what others could do until now. Throws FolderNotPrivate where another user owns it.
 */
export function makePrivate(folder: string, { isDeep = true } = {}): string[] {
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  // Windows has no such modes.
  if (process.getuid === undefined) return [];
  const warnings: string[] = [];
  const real = realpathSync(folder);
  const { uid, mode } = statSync(real);
  if (uid !== process.getuid())
    throw new FolderNotPrivate(
      `${folder} belongs to the user ${uid}, and this is the user ${process.getuid()}: its owner could exchange keys and programs in it. ` +
        `Name a folder of your own in SUREFOOT_HOME, or take this one over with \`chown -R ${process.getuid()} ${folder}\`.`,
    );
  if ((mode & OTHERS_WRITE) !== 0)
    warnings.push(
      `other users of this machine could write to ${folder} until now; it is closed, and whether they have changed something in it can't be known`,
    );
  const above = dirname(real);
  const { mode: modeAbove } = statSync(above);
  if ((modeAbove & OTHERS_WRITE) !== 0 && (modeAbove & STICKY) === 0)
    warnings.push(
      `other users of this machine can write to ${above}, so they can put another folder in the place of ${folder}: \`chmod go-w ${above}\` ends that`,
    );
  close(real, isDeep);
  return warnings;
}

/** What belongs to others is left to them; links are not followed. */
function close(path: string, isDeep = true): void {
  const { uid, mode } = lstatSync(path);
  if (uid !== process.getuid?.()) return;
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
  if (!isDeep) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) close(inner);
    else if (!entry.isSymbolicLink()) closeFile(inner);
  }
}

/** A file of a stack that still ends may be gone meanwhile. */
function closeFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & OTHERS) !== 0)
    chmodSync(path, stats.mode & 0o7777 & ~OTHERS);
}
