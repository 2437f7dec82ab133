import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, systemUser, type OsUser } from '../../../runtime/system-user';
import { makeUsersFolder } from '../../../runtime/users-folder';
import { sandboxProblem } from './probe-sandbox';

/** The user that Chromes of a host run as in place of root, and the folder in which each gets one of its own. */
export interface ChromeUser extends OsUser {
  folder: string;
}

/** Whether Chromes confine their pages with their own sandbox, which refuses to run as root. */
export type ChromeSandbox = { kind: 'on'; user?: ChromeUser } | { kind: 'off'; reason: string };

interface SandboxOptions {
  chromiumPath: string;
  home: string;
  usersRoot: string;
  hostId: string;
  wanted: 'prefer' | 'require' | 'off';
}

const NAME = 'surefoot-chrome';
const MAY_PASS = 0o711;

/** What holds where nobody has looked for a user: root has none. */
export function defaultSandbox(): ChromeSandbox {
  return process.getuid?.() === 0 ? { kind: 'off', reason: 'the keeper runs as root' } : { kind: 'on' };
}

/**
 * Finds out how this host can start Chromes: root tries it once as a user of its own. Throws where a sandbox is required
 * and there is none.
 */
export async function findSandbox(options: SandboxOptions): Promise<ChromeSandbox> {
  if (options.wanted === 'off') return { kind: 'off', reason: 'SUREFOOT_CHROME_SANDBOX is off' };
  if (process.getuid?.() !== 0) return { kind: 'on' };
  const user = await prepareUser(options).catch((error: unknown) => String(error));
  if (typeof user !== 'string') return { kind: 'on', user };
  if (options.wanted === 'prefer') return { kind: 'off', reason: user };
  throw new Error(
    `SUREFOOT_CHROME_SANDBOX requires Chrome's sandbox, and it is not possible here: ${user}. ` +
      'Start the keeper as a user that is not root, or allow user namespaces on this machine.',
  );
}

/** Returns the reason where root can't start a Chrome as another user. */
async function prepareUser({ chromiumPath, home, usersRoot, hostId }: SandboxOptions): Promise<ChromeUser | string> {
  const user = await systemUser(NAME);
  if (typeof user === 'string') return user;
  const all = join(makeUsersFolder(home, usersRoot).folder, 'chrome');
  const folder = join(all, hostId);
  mkdirSync(folder, { recursive: true });
  for (const each of [all, folder]) chmodSync(each, MAY_PASS);
  if (!(await canEnter(user, folder)))
    return `the user ${NAME} can't enter ${folder}; name another folder in SUREFOOT_USERS_FOLDER`;
  const problem = await sandboxProblem(chromiumPath, user, usersRoot);
  return problem ?? { ...user, folder };
}
