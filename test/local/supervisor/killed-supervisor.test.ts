import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../runtime/process-identity';
import { listProcesses, writeRunRecord } from '../../../cli/stack/supervisor/run-files';
import { startStack, type Stack } from '../../../cli/stack/start-stack';
import {
  allDead,
  cleanEnvironment,
  collectReports,
  compileSupervisor,
  createFolder,
  createProcess,
  eventually,
  identityOf,
  removeFolder,
  scripts,
  startSleeper,
} from '../stack-fixture';

let folder: string;
let home: string;
let supervisor: ChildProcess;
let stack: Stack | undefined;

/** A supervisor in a process of its own, with a database and one process. */
beforeEach(async () => {
  folder = createFolder();
  chmodSync(folder, 0o755);
  home = join(folder, 'home');
  mkdirSync(home);
  const worker = createProcess(home, 'worker', scripts.obedient);
  const main = join(folder, 'supervisor.js');
  const options = { home, only: ['postgres', 'processes'], ports: 'any', processes: [worker] };
  writeFileSync(
    main,
    `const { startStack } = require(${JSON.stringify(compileSupervisor(join(folder, 'compiled')))});
     const reporter = { step() {}, progress() {}, warn: console.error };
     startStack({ ...${JSON.stringify(options)}, reporter }).then((stack) => {
       require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'up'))}, '');
       process.on('SIGTERM', () => stack.stop().then(() => process.exit(0)));
     });`,
  );
  supervisor = spawn(process.execPath, [main], { env: cleanEnvironment(), stdio: 'inherit' });
  await eventually(() => existsSync(join(folder, 'up')), 'the first supervisor has its stack up');
});

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  supervisor.kill('SIGKILL');
  removeFolder(folder);
});

async function start(extra: { replace?: boolean } = {}): Promise<ReturnType<typeof collectReports>> {
  const reporter = collectReports();
  stack = await startStack({ home, reporter, only: ['postgres'], ports: 'any', env: cleanEnvironment(), ...extra });
  return reporter;
}

test('the next start ends what a killed supervisor left, and no other program', async () => {
  const left = listProcesses(home).map((row) => identityOf(row.pid));
  const foreign = startSleeper();
  const chrome = startSleeper();
  const mark = join(home, 'browsers', 'local', 'session');
  mkdirSync(mark, { recursive: true });
  writeFileSync(join(mark, 'browser.json'), JSON.stringify(chrome.identity));
  const socketFolder = mkdtempSync(join(tmpdir(), 'org.chromium.Chromium.test-'));
  mkdirSync(join(mark, 'profile'));
  symlinkSync(join(socketFolder, 'SingletonSocket'), join(mark, 'profile', 'SingletonSocket'));
  const identity = identityOf(supervisor.pid ?? 0);
  supervisor.kill('SIGKILL');
  await eventually(() => !isAlive(identity), 'the supervisor is gone');
  expect(left.every(isAlive)).toBe(true);
  // The pid of a process of the stack, which now belongs to a program that has started since.
  writeRunRecord(home, {
    name: 'recycled',
    pid: foreign.identity.pid,
    startTicks: '1',
    startedAt: new Date().toISOString(),
    restarts: 0,
    supervisorPid: 1,
    stopSignal: 'SIGTERM',
    stopOrder: 1,
  });

  const reporter = await start();
  expect(reporter.steps[0]).toMatch(/^ending processes of an earlier start: (postgres, worker|worker, postgres)$/);
  expect(allDead([...left, chrome.identity])).toBe(true);
  expect([mark, socketFolder].filter((folder) => existsSync(folder))).toEqual([]);
  expect(isAlive(foreign.identity)).toBe(true);
  expect(listProcesses(home).map((row) => row.name)).toEqual(['postgres']);
  foreign.child.kill('SIGKILL');
});

test('a database of this home that is not in the run files any more is ended too', async () => {
  const identities = [supervisor.pid ?? 0, ...listProcesses(home).map((row) => row.pid)].map(identityOf);
  const killed = identityOf(supervisor.pid ?? 0);
  supervisor.kill('SIGKILL');
  // The signal is on its way when kill returns; until it has arrived the lock is rightly held.
  await eventually(() => !isAlive(killed), 'the supervisor is gone');
  rmSync(join(home, 'run', 'postgres.json'));
  await start();
  expect(allDead(identities)).toBe(true);
});

test('a second start names the pid of a live supervisor, or replaces it on request', async () => {
  const left = listProcesses(home).map((row) => identityOf(row.pid));
  await expect(start()).rejects.toThrow(`supervisor pid ${supervisor.pid}`);
  expect(left.every(isAlive)).toBe(true);
  await start({ replace: true });
  expect(allDead(left)).toBe(true);
  expect(supervisor.exitCode).toBe(0);
});
