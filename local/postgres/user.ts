import { runCommand } from '../run-command';
import { StackError } from '../stack-error';

export interface OsUser {
  uid: number;
  gid: number;
}

const NAME = 'postgres';
const WITHIN_MS = 10_000;

/** Returns the user to run PostgreSQL as, which refuses root: the system's user `postgres`, created if needed. */
export async function postgresUser(): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await lookUp();
  if (existing !== undefined) return existing;
  const shadow = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', NAME];
  const made = await runCommand('useradd', shadow, { timeoutMs: WITHIN_MS });
  if (!made.isOk) await runCommand('adduser', ['-S', '-D', '-H', NAME], { timeoutMs: WITHIN_MS });
  const user = await lookUp();
  if (user !== undefined) return user;
  throw new StackError(
    `PostgreSQL does not run as root, and a system user \`${NAME}\` could not be created (${made.output}). ` +
      'Start the stack as another user, or set DATABASE_URL to a database that runs.',
  );
}

async function lookUp(): Promise<OsUser | undefined> {
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function idOf(flag: string): Promise<number | undefined> {
  const { isOk, output } = await runCommand('id', [flag, NAME], { timeoutMs: WITHIN_MS });
  return isOk ? Number(output) : undefined;
}
