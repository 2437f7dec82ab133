import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStackFile } from '../../runtime/settings/stack-file';
import { startStack, type Stack } from '../../cli/stack/start-stack';
import {
  cleanEnvironment,
  collectReports,
  createFolder,
  createProcess,
  losesItsPort,
  removeFolder,
  scripts,
} from './stack-fixture';

const FIXTURE_PORT = { variable: 'FIXTURE_PORT', preferred: 21_000 };
const homes = Array.from({ length: 3 }, createFolder);
const stacks: Stack[] = [];

afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.stop({ atOnce: true })));
  for (const home of homes) removeFolder(home);
});

test('three stacks that start at the same moment, with the usual ports, all come up on ports of their own', async () => {
  const starts = homes.map((home) =>
    startStack({
      home,
      reporter: collectReports(),
      only: ['postgres', 'temporal', 'processes'],
      env: cleanEnvironment(),
      processes: [createProcess(home, 'api', scripts.obedient, { port: FIXTURE_PORT })],
    }),
  );
  for (const started of await Promise.allSettled(starts))
    if (started.status === 'fulfilled') stacks.push(started.value);
  await Promise.all(starts);

  const files = homes.map((home) => readStackFile(home)!);
  const ports = files.flatMap(({ databaseUrl, temporalAddress, temporalUi, api }) =>
    [databaseUrl, `http://${temporalAddress}`, temporalUi!, api!].map((address) => new URL(address).port),
  );
  expect(new Set(ports).size).toBe(4 * homes.length);
  for (const { temporalUi, api } of files) {
    expect((await fetch(temporalUi!)).status).toBe(200);
    expect((await fetch(api!)).status).toBe(200);
  }
});

test('a stack whose API loses its port to another program says that the Temporal page can not decrypt', async () => {
  const home = createFolder();
  const thief = join(home, 'thief');
  const reporter = collectReports();
  const port = { variable: 'PORT', preferred: 3000 };
  const stack = await startStack({
    home,
    reporter,
    only: ['temporal', 'processes'],
    ports: 'any',
    encryptsPayloads: true,
    env: cleanEnvironment(),
    processes: [createProcess(home, 'api', losesItsPort('PORT', thief), { port })],
  });
  try {
    const { api } = stack.addresses;
    expect((await fetch(api!)).status).toBe(200);
    expect(reporter.warnings.at(-1)).toMatch(/^Temporal's web page can't show what is encrypted: it asks .*\/codec/);
    expect(reporter.warnings.at(-1)).toContain(`the API is at ${api} now`);
  } finally {
    await stack.stop({ atOnce: true });
    process.kill(Number(readFileSync(thief, 'utf8')), 'SIGKILL');
    removeFolder(home);
  }
});
