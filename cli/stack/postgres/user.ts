import { systemUser, type OsUser } from '../../../runtime/system-user';
import { StackError } from '../reporting/stack-error';

/** Returns the user to run PostgreSQL as, which refuses root: the system's user `postgres`, created if needed. */
export async function postgresUser(): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user = await systemUser('postgres');
  if (typeof user !== 'string') return user;
  throw new StackError(
    `PostgreSQL does not run as root, and ${user}. ` +
      'Start the stack as another user, or set DATABASE_URL to a database that runs.',
  );
}
