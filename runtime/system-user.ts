import { runProgram } from './run-command';

/** A user of the operating system, as `spawn` takes it. */
export interface OsUser {
  uid: number;
  gid: number;
}

const WITHIN_MS = 10_000;

/**
 * Returns the system user with this name, which root creates where it is missing: without a home, a shell or a password.
 * Returns a sentence about what went wrong where that is not possible.
 */
export async function systemUser(name: string): Promise<OsUser | string> {
  const existing = await lookUp(name);
  if (existing !== undefined) return existing;
  const shadow = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', name];
  const made = await runProgram('useradd', shadow, { timeoutMs: WITHIN_MS });
  if (!made.isOk) await runProgram('adduser', ['-S', '-D', '-H', name], { timeoutMs: WITHIN_MS });
  return (await lookUp(name)) ?? `a system user \`${name}\` could not be created (${made.output})`;
}

/** Tries to enter the folder as this user; file modes alone do not decide it (ACLs, security modules). */
export async function canEnter(user: OsUser, folder: string): Promise<boolean> {
  const { isOk } = await runProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    timeoutMs: WITHIN_MS,
    cwd: '/',
    user,
  });
  return isOk;
}

async function lookUp(name: string): Promise<OsUser | undefined> {
  const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function idOf(flag: string, name: string): Promise<number | undefined> {
  const { isOk, output } = await runProgram('id', [flag, name], { timeoutMs: WITHIN_MS });
  return isOk ? Number(output) : undefined;
}
