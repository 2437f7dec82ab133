import { join } from 'node:path';
import postgres from 'postgres';
import type { Readiness } from '../../runtime/process';
import { packagedPostgres } from './binaries';
import { clearStalePostmaster, ensureData, passwordOf, postgresEnvironment, SUPERUSER } from './data';
import { locateBinaries, locateData } from './locations';
import { postgresUser } from './user';
import { canConnect, HOST } from '../ports';
import type { Reporter } from '../reporter';
import type { ChildSpec } from '../supervisor/spawn-child';
import { reasonOf, StackError } from '../stack-error';
import { STOP_ORDER } from '../supervisor/stop-order';

const DATABASE = 'surefoot';
const CONNECT_SECONDS = 5;

/** A server of our own: its programs, its data and the child to supervise. */
export interface PostgresServer {
  spec: ChildSpec;
  databaseUrl: string;
}

export async function preparePostgres(
  home: string,
  port: number,
  env: NodeJS.ProcessEnv,
  reporter: Reporter,
): Promise<PostgresServer> {
  const user = await postgresUser();
  const packaged = packagedPostgres();
  const binaries = await locateBinaries(packaged.folder, packaged.version, user, reporter);
  const data = await locateData(home, user, reporter);
  await ensureData(data, binaries, user);
  const databaseUrl = urlOf(DATABASE, passwordOf(data), port);
  const maintenanceUrl = urlOf('postgres', passwordOf(data), port);
  const spec: ChildSpec = {
    name: 'postgres',
    command: join(binaries, 'bin', 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings()],
    env: postgresEnvironment(env),
    port,
    address: `${HOST}:${port}`,
    cwd: data,
    ...(user === undefined ? {} : { user }),
    // SIGINT is the fast shutdown: clients are cut off and everything is written; SIGTERM would wait for them.
    stopSignal: 'SIGINT',
    // The immediate shutdown writes nothing, but gives back the memory it shares, which a killed server leaves behind.
    endSignal: 'SIGQUIT',
    stopOrder: STOP_ORDER.postgres,
    prepare: () => clearStalePostmaster(data),
    probe: async () => ((await canConnect(HOST, port)) ? ensureDatabase(maintenanceUrl) : undefined),
  };
  return { spec, databaseUrl };
}

/** A database that is not ours: it must answer, or the person is told. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  try {
    await withConnection(databaseUrl, (sql) => sql`select 1`);
  } catch (error) {
    throw new StackError(
      `DATABASE_URL is set, but the database does not answer (${reasonOf(error)}). ` +
        'Start it, correct DATABASE_URL, or leave it unset and the stack brings a database of its own.',
    );
  }
}

/** Ready means that our database is there; throws while the server still starts. */
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

/** Loopback only, no socket file that a kill would leave behind, and every commit on the disk. */
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
