import { join } from 'node:path';
import postgres from 'postgres';
import type { Readiness } from '../../../runtime/process';
import { SETTINGS } from '../../../runtime/settings/definitions';
import { readSetting } from '../../../runtime/settings/setting';
import { packagedPostgres } from './binaries';
import { clearStalePostmaster, ensureData, passwordOf, postgresEnvironment, SUPERUSER } from './data';
import { locateBinaries, locateData } from './locations';
import { postgresUser } from './user';
import type { OsUser } from '../../../runtime/system-user';
import { HOST } from '../ports/ports';
import { canConnect } from '../ports/probe-port';
import type { Reporter } from '../reporting/reporter';
import type { ChildSpec } from '../supervisor/spawn-child';
import { postgresAdvice } from '../reporting/damaged-data';
import { stackReasonOf, StackError } from '../reporting/stack-error';
import { STOP_ORDER } from '../supervisor/stop-order';

const DATABASE = 'surefoot';
const CONNECT_SECONDS = 5;

/** The stack's own database server: its URL and the child to supervise. */
export interface PostgresServer {
  spec: ChildSpec;
  databaseUrl: string;
}

/** Creates the data where there is none; resolves to what describes the server at a port. */
export async function preparePostgres(
  home: string,
  env: NodeJS.ProcessEnv,
  reporter: Reporter,
): Promise<(port: number) => PostgresServer> {
  const user = await postgresUser();
  const usersRoot = readSetting(SETTINGS.usersFolder, env);
  const packaged = packagedPostgres();
  const binaries = await locateBinaries(packaged.folder, packaged.version, user, reporter, usersRoot);
  const data = await locateData(home, user, reporter, usersRoot);
  await ensureData(data, binaries, user);
  const password = passwordOf(data);
  return (port) => ({
    databaseUrl: urlOf(DATABASE, password, port),
    spec: specAt(port, { data, binaries, user, env, maintenanceUrl: urlOf('postgres', password, port) }),
  });
}

interface Installation {
  data: string;
  binaries: string;
  user: OsUser | undefined;
  env: NodeJS.ProcessEnv;
  maintenanceUrl: string;
}

function specAt(port: number, { data, binaries, user, env, maintenanceUrl }: Installation): ChildSpec {
  return {
    name: 'postgres',
    command: join(binaries, 'bin', 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings()],
    env: postgresEnvironment(env),
    port,
    address: `${HOST}:${port}`,
    cwd: data,
    ...(user === undefined ? {} : { user }),
    // SIGINT is the fast shutdown: it disconnects clients and writes everything; SIGTERM would wait for them.
    stopSignal: 'SIGINT',
    // SIGQUIT is the immediate shutdown: it writes nothing but frees shared memory, which a killed server leaks.
    endSignal: 'SIGQUIT',
    stopOrder: STOP_ORDER.postgres,
    advice: () => postgresAdvice(data),
    prepare: () => clearStalePostmaster(data),
    probe: async () => ((await canConnect(HOST, port)) ? ensureDatabase(maintenanceUrl) : undefined),
  };
}

/** Checks that an external database answers; throws a StackError otherwise. */
export async function requireDatabase(databaseUrl: string): Promise<void> {
  try {
    await withConnection(databaseUrl, (sql) => sql`select 1`);
  } catch (error) {
    throw new StackError(
      `DATABASE_URL is set, but the database does not answer (${stackReasonOf(error)}). ` +
        'Start it, correct DATABASE_URL, or leave it unset so that the stack starts its own database.',
    );
  }
}

/** Creates the database if it is missing; throws while the server still starts. */
async function ensureDatabase(maintenanceUrl: string): Promise<Readiness> {
  await withConnection(maintenanceUrl, async (sql) => {
    const [found] = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (found === undefined) await sql`create database ${sql(DATABASE)}`;
  });
  return {};
}

async function withConnection(url: string, use: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined });
  try {
    await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function urlOf(database: string, password: string, port: number): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}

/** Server settings: loopback only, no socket file that a kill would leave, and every commit synced to disk. */
function settings(): string[] {
  const values = {
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: 200,
    fsync: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
