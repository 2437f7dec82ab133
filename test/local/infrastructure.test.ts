import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import postgres from 'postgres';
import { postgresUser } from '../../cli/stack/postgres/user';
import { listProcesses } from '../../cli/stack/supervisor/run-files';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { usersFolder } from '../../runtime/users-folder';
import { startStack, type Stack } from '../../cli/stack/start-stack';
import {
  allDead,
  cleanEnvironment,
  collectReports,
  createFolder,
  eventually,
  identityOf,
  removeFolder,
} from './stack-fixture';

const only = ['postgres', 'temporal'] as const;
let home: string;
let stack: Stack | undefined;
let reporter: ReturnType<typeof collectReports>;

beforeEach(() => {
  home = createFolder();
  reporter = collectReports();
});

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  removeFolder(home);
});

async function start(env: Record<string, string> = {}): Promise<Stack> {
  stack = await startStack({ home, reporter, only, ports: 'any', env: cleanEnvironment(env) });
  return stack;
}

/** Of PostgreSQL, which runs as another user than root. */
function dataFolder(): string {
  const isRoot = process.getuid?.() === 0;
  return join(isRoot ? usersFolder(home, readSetting(SETTINGS.usersFolder, process.env)) : home, 'postgres');
}

async function query<T>(use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(stack?.addresses.databaseUrl ?? '', { max: 1, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function describeNamespace(): Promise<string | null | undefined> {
  const connection = await Connection.connect({ address: stack?.addresses.temporalAddress ?? '' });
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  return namespaceInfo?.name;
}

function pidsByName(): Record<string, number> {
  return Object.fromEntries(listProcesses(home).map((row) => [row.name, row.pid]));
}

/** What each port on which a process listens answers to a plain HTTP request. */
async function statusesOf(pid: number, path: string): Promise<Record<string, number>> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const listening = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`));
  const answers = listening.map(async ([, local]): Promise<[string, number]> => {
    const port = String(parseInt(local!.split(':')[1]!, 16));
    const url = `http://127.0.0.1:${port}${path}`;
    return [
      port,
      await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => status,
        () => 0,
      ),
    ];
  });
  return Object.fromEntries(await Promise.all(answers));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('PostgreSQL and Temporal come up in an empty home, and in the same home again with the data kept', async () => {
  await start();
  expect(await query((sql) => sql`select current_database() as name, current_setting('fsync') as fsync`)).toEqual([
    { name: 'surefoot', fsync: 'on' },
  ]);
  expect(await describeNamespace()).toBe('default');
  expect((await fetch(`${stack?.addresses.temporalUi}`)).status).toBe(200);
  const { [new URL(stack!.addresses.temporalUi!).port]: _ofItsPage, ...statuses } = await statusesOf(
    pidsByName()['temporal']!,
    '/api/v1/namespaces',
  );
  expect(Object.values(statuses)).toContain(403);
  expect(Object.values(statuses)).not.toContain(200);
  await query((sql) => sql.unsafe("create table kept (word text); insert into kept values ('naïve ✓')"));
  await stack?.stop();

  await start();
  expect(await query((sql) => sql`select word from kept`)).toEqual([{ word: 'naïve ✓' }]);
  expect(await describeNamespace()).toBe('default');
});

test('a stop leaves no process, no run file and no socket file', async () => {
  await start();
  const identities = listProcesses(home).map((row) => identityOf(row.pid));
  expect(identities).toHaveLength(2);
  await stack?.stop();
  expect(allDead(identities)).toBe(true);
  expect(readdirSync(join(home, 'run'))).toEqual([]);
  expect(readdirSync(dataFolder())).not.toContain('postmaster.pid');
});

test('killed servers restart at their ports with their data', async () => {
  await start();
  await query((sql) => sql.unsafe('create table kept (word text)'));
  const before = pidsByName();
  for (const pid of Object.values(before)) process.kill(pid, 'SIGKILL');
  await eventually(
    () =>
      query((sql) => sql`select * from kept`).then(
        () => true,
        () => false,
      ),
    'the database answers again',
  );
  await eventually(
    () =>
      describeNamespace().then(
        () => true,
        () => false,
      ),
    'Temporal answers again',
  );
  await eventually(
    () => listProcesses(home).every((row) => row.alive && row.restarts > 0),
    'both are listed as restarted',
  );
  const after = pidsByName();
  for (const name of ['postgres', 'temporal']) expect(after[name]).not.toBe(before[name]);
});

test('a postmaster.pid whose pid belongs to another program does not prevent the start', async () => {
  await start();
  await stack?.stop();
  // Another program of the user that the database runs as, which PostgreSQL itself would take for a server.
  const other = spawn('sleep', ['600'], { stdio: 'ignore', ...(await postgresUser()) });
  writeFileSync(join(dataFolder(), 'postmaster.pid'), `${other.pid}\n${dataFolder()}\n`);
  await start();
  expect(await query((sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill('SIGKILL');
});

test('a Temporal address without a server is reported in a sentence, and nothing is left', async () => {
  const started = start({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  await expect(started).rejects.toThrow(
    /^TEMPORAL_ADDRESS is 127\.0\.0\.1:1, but no Temporal server .* answers there .*or leave it unset/,
  );
  expect(readdirSync(join(home, 'run'))).toEqual([]);
});

test('a database address without a server is reported in a sentence without the password', async () => {
  const started = start({ DATABASE_URL: 'postgres://ann:secret@127.0.0.1:1/x' });
  await expect(started).rejects.toThrow(
    /^DATABASE_URL is set, but the database does not answer \((?!.*secret).*ECONNREFUSED/,
  );
});

test('a database that is killed at once leaks no shared memory', async () => {
  await start();
  const maps = readFileSync(`/proc/${pidsByName()['postgres']}/maps`, 'utf8');
  const shared = [...new Set(maps.match(/\/dev\/shm\/PostgreSQL\.\d+/g))];
  expect(shared.map((file) => existsSync(file))).toEqual([true]);
  await stack?.stop({ atOnce: true });
  expect(shared.map((file) => existsSync(file))).toEqual([false]);
});
