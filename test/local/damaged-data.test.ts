import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { usersFolder } from '../../runtime/users-folder';
import { logFilePath } from '../../cli/stack/supervisor/log-file';
import { listProcesses } from '../../cli/stack/supervisor/run-files';
import { startStack, type Stack } from '../../cli/stack/start-stack';
import { allDead, cleanEnvironment, collectReports, createFolder, identityOf, removeFolder } from './stack-fixture';

let home: string;
let stack: Stack | undefined;
let reporter: ReturnType<typeof collectReports>;

beforeEach(() => {
  home = createFolder();
  reporter = collectReports();
});

afterEach(async () => {
  await stack?.stop({ atOnce: true });
  stack = undefined;
  removeFolder(home);
});

async function start(part: 'temporal' | 'postgres'): Promise<Stack> {
  stack = await startStack({ home, reporter, only: [part], ports: 'any', env: cleanEnvironment() });
  return stack;
}

async function startFails(part: 'temporal' | 'postgres'): Promise<string> {
  return await start(part).then(
    () => 'it started',
    (error: Error) => error.message,
  );
}

const temporalFile = (): string => join(home, 'temporal', 'temporal.db');

function postgresFolder(): string {
  const isRoot = process.getuid?.() === 0;
  return join(isRoot ? usersFolder(home, readSetting(SETTINGS.usersFolder, process.env)) : home, 'postgres');
}

function cut(bytes: number): void {
  for (const ending of ['-wal', '-shm']) rmSync(temporalFile() + ending, { force: true });
  truncateSync(temporalFile(), bytes);
}

const DAMAGE: Record<string, () => void> = {
  'is empty': () => cut(0),
  'was cut within its schema': () => cut(4096),
  'was overwritten': () => {
    cut(0);
    writeFileSync(temporalFile(), 'no database at all, '.repeat(1000));
  },
};

test.each(Object.keys(DAMAGE))(
  "a start on Temporal's database that %s ends with its last words, the place and the way out",
  async (name) => {
    await start('temporal');
    await stack!.stop();
    DAMAGE[name]!();
    const message = await startFails('temporal');
    expect(message).toMatch(/^temporal ended 4 times, [^]*(no such table|not a database|malformed)/);
    expect(message).toContain(`mv ${temporalFile()} ${temporalFile()}-wal`);
    expect(message).toMatch(/Lost with it: .* Kept in PostgreSQL: every session with its log/);
    // What it says works.
    spawnSync('/bin/sh', ['-c', /`(mkdir .*?)`/.exec(message)![1]!]);
    expect(existsSync(join(`${temporalFile()}.away`, 'temporal.db'))).toBe(true);
    await start('temporal');
  },
);

test('a running stack whose Temporal can not start again ends, with advice, after eight tries', async () => {
  await start('temporal');
  const [row] = listProcesses(home);
  DAMAGE['was overwritten']!();
  process.kill(row!.pid, 'SIGKILL');
  const { message } = await stack!.failed;
  expect(message).toMatch(/^temporal ended \d+ times, [^]*not a database/);
  expect(message).toContain(`Temporal keeps its database in ${temporalFile()}.`);
  await stack!.stop();
  expect(reporter.warnings.filter((text) => /restarting it/.test(text)).length).toBeLessThanOrEqual(9);
  expect(reporter.warnings).toContain(message);
  expect(listProcesses(home)).toEqual([]);
  expect(readFileSync(logFilePath(home, 'temporal'), 'utf8')).toContain('not a database');
});

test("a PostgreSQL folder that was cut ends the start with the server's last words and the way out", async () => {
  await start('postgres');
  const { pid } = listProcesses(home)[0]!;
  const server = identityOf(pid);
  await stack!.stop();
  expect(allDead([server])).toBe(true);
  truncateSync(join(postgresFolder(), 'global', 'pg_control'), 100);
  const message = await startFails('postgres');
  expect(message).toMatch(/^postgres ended 4 times, [^]*pg_control/);
  expect(message).toContain(`mv ${postgresFolder()} ${postgresFolder()}.away`);
  expect(message).toMatch(/Lost with it: every session/);
});

test.each(['PG_VERSION', 'surefoot.password'])(
  'a PostgreSQL folder without its %s is neither overwritten nor used',
  async (name) => {
    await start('postgres');
    await stack!.stop();
    rmSync(join(postgresFolder(), name));
    const message = await startFails('postgres');
    expect(message).toContain(`PostgreSQL's folder is incomplete: ${name} is missing in it.`);
    expect(message).toContain(`mv ${postgresFolder()} ${postgresFolder()}.away`);
    expect(existsSync(join(postgresFolder(), 'global', 'pg_control'))).toBe(true);
  },
);
