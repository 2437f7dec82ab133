import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A process of root's gives up its rights where it can: PostgreSQL and Chrome run as users of their own. Nobody but the
 * owner of SUREFOOT_HOME may enter it, so what belongs to these users lies in a folder of its own, which everybody may
 * pass and nobody may list. Each folder in it belongs to one user and is closed to all others.
 */
export function usersFolder(home: string, root: string): string {
  return join(root, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

const MAY_PASS = 0o711;
const ID_FILE = 'users-folder.id';

/**
 * Creates the folder of this home. A folder that an earlier home of the same path has left, which is gone by now, is put
 * aside: its database is not the one of the new home's keys. Returns the path, and where the earlier one is now.
 */
export function makeUsersFolder(home: string, root: string): { folder: string; aside?: string } {
  const folder = usersFolder(home, root);
  passable(root);
  const [ofHome, ofFolder] = [idIn(home), idIn(folder)];
  const isOfEarlierHome = ofFolder !== undefined && ofFolder !== ofHome;
  const aside = isOfEarlierHome ? `${folder}.${ofFolder}` : undefined;
  if (aside !== undefined) renameSync(folder, aside);
  passable(folder);
  if (aside !== undefined || ofFolder === undefined) {
    const id = ofHome ?? randomUUID();
    for (const place of [home, folder]) writeFileSync(join(place, ID_FILE), id, { mode: 0o600 });
  }
  return { folder, ...(aside === undefined ? {} : { aside }) };
}

/** Removes the folder of a home that is not used again. */
export function removeUsersFolder(home: string, root: string): void {
  rmSync(usersFolder(home, root), { recursive: true, force: true, maxRetries: 5 });
}

/** Throws where the folder belongs to somebody else, who could exchange what is in it. */
function passable(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: MAY_PASS });
  const { uid } = statSync(folder);
  if (uid !== process.getuid?.())
    throw new Error(
      `Expected a folder of root's at ${folder}, got one of the user ${uid}: remove it, or name another one in SUREFOOT_USERS_FOLDER.`,
    );
  // The process may mask the modes of what it makes.
  chmodSync(folder, MAY_PASS);
}

function idIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, ID_FILE), 'utf8');
  } catch {
    return undefined;
  }
}
