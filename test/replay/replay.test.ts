import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/**
 * Histories of finished sessions, kept from each released version. They must replay on the workflow code of today: a
 * change that breaks one would break the sessions that run during an update. To record those of a new version:
 * `RECORD_HISTORIES=1 npm test -- test/workflows`.
 */
const HISTORIES = join(__dirname, 'histories');
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));
/** As the global set-up has built it. */
const code = readFileSync(join(__dirname, '..', '..', 'dist', 'workflow-bundle.js'), 'utf8');

beforeAll(() => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
  });
});

test('there are twenty histories: a good end, a pause, a failure, a dead worker, a person who was asked', () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const kind of ['happy-path', 'pause-and-resume', 'failure-with-retries', 'worker-gone', 'unknown-outcome']) {
    expect(names).toContainEqual(expect.stringMatching(new RegExp(`^v[0-9.]+-${kind}\\.json$`)));
  }
});

test.each(names)('%s replays on the workflow code of today', async (name) => {
  const history: unknown = JSON.parse(readFileSync(join(HISTORIES, name), 'utf8'));
  const replaying = Worker.runReplayHistory({ workflowBundle: { code }, replayName: name }, history, 'replayed');
  await expect(replaying).resolves.toBeUndefined();
});

test('a history that says something else is found out', async () => {
  const text = readFileSync(
    join(
      HISTORIES,
      names.find((name) => name.endsWith('happy-path.json'))!,
    ),
    'utf8',
  );
  const history: unknown = JSON.parse(text.replaceAll('"runCommands"', '"runSomething"'));
  await expect(Worker.runReplayHistory({ workflowBundle: { code } }, history, 'replayed')).rejects.toThrow(
    /nondeterminism/i,
  );
});

test('the bundle holds the workflows and the contracts, and nothing of activities, store or Node', () => {
  const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map((match) => match[1]!);
  const own = modules.filter((path) => path.startsWith('./') && !path.includes('node_modules'));
  expect(own).toContain('./dist/workflows/session.js');
  for (const path of own) expect(path).toMatch(/^\.\/dist\/(workflows|contracts)\//);
  const externals = modules.filter((path) => builtinModules.includes(path.replace(/^node:/, '')));
  expect(externals).toEqual([]);
});

test('a worker loads every contract of the workflows once, for all its sessions', () => {
  const contracts = new Set([...code.matchAll(/"(\.\/dist\/contracts\/[^"]+)"/g)].map((match) => match[1]!));
  const [, shared = ''] = code.split('/***/ "./dist/workflows/shared-contracts.js"');
  const loaded = [...shared.split('\n/***/ "')[0]!.matchAll(/"(\.\/dist\/contracts\/[^"]+)"/g)].map(
    (match) => match[1]!,
  );
  expect(contracts.size).toBeGreaterThan(50);
  expect(loaded.sort()).toEqual([...contracts].sort());
  expect(code).toMatch(
    /preloadModules = function preloadModules\(\) \{\s+__webpack_require__\([^)]*shared-contracts\.js"\)/,
  );
});
