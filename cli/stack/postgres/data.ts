import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { postgresAdvice } from '../reporting/damaged-data';
import { endProcess } from '../supervisor/end-process';
import type { OsUser } from '../../../runtime/system-user';
import { startTicksOf } from '../../../runtime/process-identity';
import { lastLine, runProgram } from '../../../runtime/run-command';
import { StackError } from '../reporting/stack-error';

export const SUPERUSER = 'surefoot';
const INITDB_MS = 120_000;
const PASSWORD_FILE = 'surefoot.password';
const WITHIN_MS = 5000;

/** Creates the data folder if it does not exist; it is renamed into place when it is complete. */
export async function ensureData(data: string, binaries: string, user: OsUser | undefined): Promise<void> {
  if (isThere(data)) return;
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (user !== undefined) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
  const args = ['--pgdata', draft, '--username', SUPERUSER, '--pwfile', passwordFile];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const { isOk, output } = await runProgram(
    join(binaries, 'bin', 'initdb'),
    [...args, ...locale, '--auth=scram-sha-256', '--no-instructions'],
    { timeoutMs: INITDB_MS, cwd: draft, env: postgresEnvironment(process.env), user },
  );
  if (!isOk) throw new StackError(`PostgreSQL's folder ${data} could not be created: ${lastLine(output)}`);
  // The password is stored in the data folder, so that both are copied, moved and removed together.
  renameSync(passwordFile, join(draft, PASSWORD_FILE));
  renameSync(draft, data);
}

/** Throws a StackError where the folder is there but incomplete. */
function isThere(data: string): boolean {
  if (!existsSync(data) || readdirSync(data).length === 0) return false;
  const missing = ['PG_VERSION', PASSWORD_FILE].find((name) => !existsSync(join(data, name)));
  if (missing === undefined) return true;
  throw new StackError(`PostgreSQL's folder is incomplete: ${missing} is missing in it. ${postgresAdvice(data)}`);
}

export function passwordOf(data: string): string {
  return readFileSync(join(data, PASSWORD_FILE), 'utf8').trim();
}

/** Removes settings for other PostgreSQL clients (PGDATA, PGPORT, ...) from the environment. */
export function postgresEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * A killed server leaves postmaster.pid, which PostgreSQL removes unless another process has that pid. So a server on
 * this data folder is ended, and the file is removed when its pid belongs to another program. Otherwise the file stays,
 * because PostgreSQL uses it to check whether children of a killed server still write.
 */
export async function clearStalePostmaster(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const startTicks = Number.isInteger(pid) && pid > 0 ? startTicksOf(pid) : undefined;
  if (startTicks === undefined) return;
  const { output } = await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { timeoutMs: WITHIN_MS });
  if (output.includes(`-D ${data} `)) await endProcess({ pid, startTicks }, 'SIGINT');
  else rmSync(file, { force: true });
}
