import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStackFile, stackFilePath } from '../../../runtime/settings/stack-file';
import { logFilePath } from '../../../cli/stack/supervisor/log-file';
import { listProcesses } from '../../../cli/stack/supervisor/run-files';
import { startStack, type Stack, type StackOptions } from '../../../cli/stack/start-stack';
import {
  allDead,
  cleanEnvironment,
  collectReports,
  createFolder,
  createProcess,
  eventually,
  identityOf,
  losesItsPort,
  removeFolder,
  scripts,
} from '../stack-fixture';

const FIXTURE_PORT = { variable: 'FIXTURE_PORT', preferred: 21_000 };
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

async function start(processes: StackOptions['processes'], extra: Partial<StackOptions> = {}): Promise<Stack> {
  const options = { home, reporter, env: cleanEnvironment(), only: ['processes'], ports: 'any' } as const;
  stack = await startStack({ ...options, ...(processes === undefined ? {} : { processes }), ...extra });
  return stack;
}

const pidOf = (name: string) => listProcesses(home).find((row) => row.name === name)?.pid ?? 0;

test('a process is up when it writes its ready file, and gets addresses and port by environment', async () => {
  const source = `console.log(JSON.stringify([process.env.SUREFOOT_HOME, process.env.FIXTURE_PORT]));${scripts.obedient}`;
  await start([createProcess(home, 'api', source, { port: FIXTURE_PORT })]);
  const [row] = listProcesses(home);
  expect(row).toMatchObject({ name: 'api', alive: true, restarts: 0, address: `http://127.0.0.1:${row?.port}` });
  expect(stack?.addresses.api).toBe(row?.address);
  await expect((await fetch(`${row?.address}`)).text()).resolves.toBe(String(row?.pid));
  expect(readFileSync(logFilePath(home, 'api'), 'utf8')).toContain(JSON.stringify([home, String(row?.port)]));
});

test('a killed process is started again on the same port under a new pid', async () => {
  await start([createProcess(home, 'api', scripts.obedient, { port: FIXTURE_PORT })]);
  const [before] = listProcesses(home);
  process.kill(before?.pid ?? 0, 'SIGKILL');
  await eventually(async () => {
    const text = await fetch(`${before?.address}`).then(
      (response) => response.text(),
      () => undefined,
    );
    return text !== undefined && text !== String(before?.pid);
  }, 'the process answers under a new pid');
  await eventually(() => listProcesses(home)[0]?.restarts === 1, 'the list shows the restart');
  const [after] = listProcesses(home);
  expect(after).toMatchObject({ port: before?.port, address: before?.address, alive: true });
  expect(after?.pid).not.toBe(before?.pid);
  expect(reporter.warnings).toEqual(['api: it got SIGKILL; restarting it']);
});

test('a process that was ready once and hangs after a restart is killed and restarted', async () => {
  const hangs = join(home, 'hangs');
  const source = `if (require('node:fs').existsSync(${JSON.stringify(hangs)})) setInterval(() => undefined, 1000); else { ${scripts.obedient} }`;
  await start([createProcess(home, 'api', source, { port: FIXTURE_PORT, readyWithinMs: 2000 })]);
  writeFileSync(hangs, '');
  process.kill(pidOf('api'), 'SIGKILL');
  await eventually(() => reporter.warnings.length >= 3, 'the one that hangs was ended');
  expect(reporter.warnings.slice(0, 3)).toEqual([
    'api: it got SIGKILL; restarting it',
    'api was not ready within 2 s and is killed',
    'api: it got SIGKILL; restarting it',
  ]);
  rmSync(hangs);
  await eventually(
    async () => (await fetch(stack?.addresses.api ?? '').catch(() => undefined))?.ok === true,
    'it is up',
  );
});

test('a process that never becomes ready fails the start with its last log lines, and nothing is left', async () => {
  const good = createProcess(home, 'good', scripts.obedient);
  const started = start([good, createProcess(home, 'bad', scripts.broken)]);
  await expect(started).rejects.toThrow(/^bad ended 4 times.*it ended with code 3.*\n(.*\n)*the cupboard is bare$/);
  expect(readdirSync(join(home, 'run'))).toEqual([]);
});

test.each([
  ['a module is missing', `require('./nope');`, "Error: Cannot find module './nope'\nRequire stack:\n- "],
  ['it throws', `throw new RangeError('too far');`, 'RangeError: too far$'],
  ['it does not compile', 'const x = ;', "SyntaxError: Unexpected token ';'$"],
  ['it says more below', `console.log('{"level":30}'); void Promise.reject(new TypeError('odd'))`, 'TypeError: odd$'],
])('a start that fails because %s names the error, not the last lines of Node', async (_, source, expected) => {
  const started = start([createProcess(home, 'bad', source)]);
  await expect(started).rejects.toThrow(new RegExp(`^bad ended 4 times.*bad\\.log:\\n${expected}`));
});

test('a process whose port another program takes just before it starts gets another one', async () => {
  const thief = join(home, 'thief');
  const source = losesItsPort('FIXTURE_PORT', thief);
  await start([createProcess(home, 'api', source, { port: FIXTURE_PORT })]);
  try {
    const [row] = listProcesses(home);
    expect(stack?.addresses.api).toBe(`http://127.0.0.1:${row?.port}`);
    await expect((await fetch(stack!.addresses.api!)).text()).resolves.toBe(String(row?.pid));
  } finally {
    process.kill(Number(readFileSync(thief, 'utf8')), 'SIGKILL');
  }
});

test('a missing entry file is reported with the way to build it', async () => {
  const missing = { name: 'keeper', script: join(home, 'keeper.js'), stopOrder: 1 };
  await expect(start([missing])).rejects.toThrow(
    /keeper can't be started: .*keeper\.js is missing\. Run `npm run build` first/,
  );
});

test('a stop goes in order, kills what does not end together with its children, and removes the run files', async () => {
  const log = join(home, 'order');
  const logsItsEnd = (name: string) =>
    `${scripts.obedient.replace('process.exit(0)', `(require('node:fs').appendFileSync(${JSON.stringify(log)}, '${name} '), process.exit(0))`)}`;
  await start([
    createProcess(home, 'last', logsItsEnd('last'), { stopOrder: 9 }),
    createProcess(home, 'stubborn', scripts.stubborn, { stopOrder: 2 }),
    createProcess(home, 'first', logsItsEnd('first')),
  ]);
  const child = Number(/child (\d+)/.exec(readFileSync(logFilePath(home, 'stubborn'), 'utf8'))?.[1]);
  const identities = [...listProcesses(home).map((row) => row.pid), child].map(identityOf);
  await stack?.stop();
  await eventually(() => allDead(identities), 'all processes have ended');
  expect(readFileSync(log, 'utf8')).toBe('first last ');
  expect(readdirSync(join(home, 'run'))).toEqual([]);
});

test('a stack is found by its file as soon as one of its processes answers', async () => {
  const looksForIt = `if (!require('node:fs').existsSync(${JSON.stringify(stackFilePath(home))})) process.exit(3);`;
  await start([createProcess(home, 'api', looksForIt + scripts.obedient, { port: FIXTURE_PORT })], {
    env: cleanEnvironment({ DATABASE_URL: 'postgres://elsewhere/x', TEMPORAL_ADDRESS: 'elsewhere:7233' }),
  });
  expect(readStackFile(home)).toMatchObject({ databaseUrl: 'postgres://elsewhere/x', api: stack?.addresses.api });
});

test('a second supervisor of the same home is refused with the pid of the first and what to do', async () => {
  await start([createProcess(home, 'api', scripts.obedient, { port: FIXTURE_PORT })], {
    env: cleanEnvironment({ DATABASE_URL: 'postgres://elsewhere/x', TEMPORAL_ADDRESS: 'elsewhere:7233' }),
  });
  expect(readStackFile(home)).toMatchObject({ supervisorPid: process.pid, api: stack?.addresses.api });
  const second = startStack({ home, reporter, only: ['processes'], processes: [] });
  await expect(second).rejects.toThrow(
    new RegExp(`supervisor pid ${process.pid} at ${stack?.addresses.api}.*SUREFOOT_HOME`),
  );
  expect(listProcesses(home)[0]?.alive).toBe(true);
});

test('a lock of a killed or incomplete start is replaced', async () => {
  await start([]);
  await stack?.stop();
  for (const content of ['', '{"pid":', JSON.stringify({ pid: process.pid, startTicks: 1 })]) {
    writeFileSync(join(home, 'run', 'supervisor.lock'), content);
    await (await start([])).stop();
  }
  expect(existsSync(join(home, 'run', 'supervisor.lock'))).toBe(false);
});

test('a start that is aborted while a process starts leaves nothing behind', async () => {
  const abort = new AbortController();
  const started = start([createProcess(home, 'slow', 'setInterval(() => undefined, 1000);')], { signal: abort.signal });
  await eventually(() => pidOf('slow') > 0, 'the process has been started');
  const identity = identityOf(pidOf('slow'));
  abort.abort(new Error('the person has had enough'));
  await expect(started).rejects.toThrow('the person has had enough');
  expect(allDead([identity])).toBe(true);
  expect(readdirSync(join(home, 'run'))).toEqual([]);
});
