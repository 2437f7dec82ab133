/** Sessions that begin signed in, one after the other and at once, and kills while a profile is written back. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { ProfileInput } from '../../contracts/sessions/profile';
import { createApiClient } from '../../client/http/api-client';
import { createProfiles } from '../../service/profiles/profiles';
import { runCli, startCli } from '../cli/cli-process';
import { startAcme, type Acme } from '../support/acme';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import { IS_LONG_RUN } from '../support/long-run';
import { endOf, ONE_BROWSER_WORKER, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let acme: Acme;
beforeAll(async () => {
  acme = await startAcme();
  stack = await startWholeStack({ ...FAULTS_BY_FILE, SUREFOOT_LOG_LEVEL: 'debug' }, ONE_BROWSER_WORKER);
}, 120_000);
afterAll(async () => {
  acme.stop();
  await stack.stop();
}, 60_000);

const signIn = (): string[] => [`Open ${acme.url}/login`, 'Click "Sign in" button', 'Expect "Device:"'];
const visit = (page: string): string[] => [
  `Open ${acme.url}/${page}`,
  `Expect "Signed in, ${page}"`,
  'Expect "Device:"',
];
const aName = (): string => `profile-${randomUUID().slice(0, 8)}`;

async function start(profile: ProfileInput, steps: string[], change: { tenant?: string } = {}): Promise<string> {
  const config = { executorConfig: { screenshotsEnabled: false }, replay: 'off' as const };
  return (await stack.client.start({ steps, profile, config, ...change })).sessionId;
}

async function run(profile: ProfileInput, steps: string[], change: { tenant?: string } = {}): Promise<string> {
  return await endOf(stack, await start(profile, steps, change));
}

async function signedInProfile(): Promise<string> {
  const name = aName();
  expect(await run(name, signIn())).toBe('COMPLETED');
  return name;
}

const cliEnv = () => ({
  SUREFOOT_HOME: stack.home,
  DATABASE_URL: stack.databaseUrl,
  TEMPORAL_ADDRESS: stack.temporalAddress,
  SUREFOOT_LOG_LEVEL: 'debug',
});

const versionOf = async (name: string): Promise<number> =>
  (await createProfiles({ store: stack.engineStore }).get({ tenant: 'default', name })).version;

const waitsFor = (sessionId: string) =>
  recordOf(
    stack,
    sessionId,
    'the wait',
    ({ type, data }) => type === StreamEventType.SESSION_STATUS && data.details?.['waitingFor'] === 'profile',
  );

it('a session signs in, and those after it go on with its cookie, storage and IndexedDB', async () => {
  const before = acme.signIns();
  const name = await signedInProfile();
  // The site replaces its cookie at each visit: only what the last session has left opens it.
  for (let visits = 0; visits < 2; visits += 1)
    expect(await run(name, [...visit('home'), 'Expect "Device: known,known,known."'])).toBe('COMPLETED');
  expect(acme.signIns() - before).toBe(1);
  expect(await versionOf(name)).toBe(3);
}, 120_000);

it('of two sessions that want one profile the second waits, or works on a copy', async () => {
  const name = await signedInProfile();
  const release = acme.hold();
  const first = await start(name, visit('slow'));
  await recordOf(stack, first, 'its profile', ({ data }) => data.details?.['profileVersion'] === 1);
  const second = await start(name, visit('home'));
  expect((await waitsFor(second)).data.message).toContain(`session ${first}`);
  expect(await run({ name, whenInUse: 'copy' }, visit('page'))).toBe('COMPLETED');
  expect(await versionOf(name)).toBe(1);
  release();
  expect([await endOf(stack, first), await endOf(stack, second)]).toEqual(['COMPLETED', 'COMPLETED']);
  expect(await versionOf(name)).toBe(3);
}, 120_000);

it('a session that waits for a profile is cancelled at once, and one that fails leaves it as it was', async () => {
  const name = await signedInProfile();
  const release = acme.hold();
  const first = await start(name, [...visit('slow'), `Open ${acme.url}/sign-out`, 'Expect "a page that never comes"']);
  await recordOf(stack, first, 'its profile', ({ data }) => data.details?.['profileVersion'] === 1);
  const second = await start(name, visit('home'));
  await waitsFor(second);
  await stack.client.cancel(second);
  expect(await endOf(stack, second)).toBe('CANCELLED');
  release();
  expect(await endOf(stack, first)).toBe('FAILED');
  expect(await run(name, visit('home'))).toBe('COMPLETED');
  expect(await versionOf(name)).toBe(2);
}, 120_000);

it('the same name is another profile for another tenant, and a fork works on a copy', async () => {
  const name = await signedInProfile();
  expect(await run(name, visit('page'), { tenant: 'stranger' })).toBe('FAILED');
  expect(await stack.engineStore.profiles.list('stranger')).toEqual([]);
  const sessionId = await start(name, [...visit('page'), 'Expect "Device: known"']);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const fork = await stack.client.fork(sessionId, { fromStep: 2 });
  expect(await endOf(stack, fork.sessionId)).toBe('COMPLETED');
  expect(await versionOf(name)).toBe(2);
}, 120_000);

it('a process that is killed while a profile is written back loses nothing of it', async () => {
  const name = await signedInProfile();
  let sessions = 0;
  const survives = async (faults: string): Promise<boolean> => {
    sessions += 1;
    const sessionId = await start(name, visit('home'));
    armFaults(stack.home, faults, sessionId);
    const status = await endOf(stack, sessionId);
    expect({ status, error: (await stack.client.get(sessionId)).error }).toEqual({ status: 'COMPLETED', error: null });
    return faultsFired(stack.home, sessionId).length > 0;
  };
  // Writings of records are died at, until a session has no further one: the last is the one that ends it.
  const everyOther = IS_LONG_RUN ? 1 : 2;
  let beyond = 1;
  while (await survives(`kill@before-append:${beyond}`)) beyond += everyOther;
  const hasOneMore = everyOther > 1 && (await survives(`kill@before-append:${beyond - 1}`));
  const last = hasOneMore ? beyond - 1 : beyond - everyOther;
  expect(last).toBeGreaterThan(1);
  await survives(`kill@after-append:${last}`);
  for (const nth of IS_LONG_RUN ? [1, 2, 3] : [2]) await survives(`kill@during-checkpoint:${nth}`);
  expect(await run(name, visit('home'))).toBe('COMPLETED');
  // One of the sign-in, one of each session, one of the last.
  expect(await versionOf(name)).toBe(1 + sessions + 1);
}, 240_000);

it('an exported state opens the site elsewhere, and stands in no row, log or history', async () => {
  const name = await signedInProfile();
  const env = cliEnv();
  const cli = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runCli(['profiles', ...args], { env });
    return { exitCode, stdout, stderr };
  };
  const token = acme.token()!;
  const exported = await cli('export', name);
  expect(exported).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(token) });
  const api = createApiClient(stack.api);
  const state = await api.exportProfile(name);
  expect(state).toEqual(JSON.parse(exported.stdout));
  expect(state.origins).toMatchObject([{ localStorage: [{ name: 'device', value: 'known' }], indexedDB: [{}] }]);
  const copy = aName();
  const shown = await api.importProfile(copy, state);
  expect([JSON.stringify(shown).includes(token), shown.cookies]).toEqual([
    false,
    [expect.objectContaining({ domain: '127.0.0.1', name: 'sid', expiresAt: expect.anything() })],
  ]);
  expect(await cli('show', copy)).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining(token) });
  expect((await cli('list')).stdout).toContain(copy);
  expect(await run(copy, [...visit('page'), 'Expect "Device: known,known,."'])).toBe('COMPLETED');
  expect((await cli('restore', copy, '1')).stdout).toContain('version 3');
  expect((await cli('forget', copy)).exitCode).toBe(0);
  expect(await cli('show', copy)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('There is no profile'),
  });

  const files = readdirSync(stack.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:log|json|jsonl|txt|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => readFileSync(file).includes(token))).toEqual([]);
  expect((await everyRow(stack.databaseUrl)).filter((row) => row.includes(token))).toEqual([]);
  for await (const { workflowId } of stack.engineTemporal.workflow.list()) {
    const history = await stack.engineTemporal.workflow.getHandle(workflowId).fetchHistory();
    expect(JSON.stringify(history)).not.toContain(token);
  }
}, 180_000);

it('a person signs in once, by taking the browser over, and the sessions after it are signed in', async () => {
  const name = aName();
  const { child, result, printed } = startCli(['profiles', 'login', name, `${acme.url}/login`, '--no-headed'], {
    env: cliEnv(),
  });
  await eventually('the place to sign in', () => printed().includes('press Enter'));
  const [, sessionId = ''] = /close ([0-9a-f-]{36})/.exec(printed()) ?? [];
  expect(printed()).toContain(`/sessions/${sessionId}`);
  const api = createApiClient(stack.api);
  const takeoverId = randomUUID();
  await api.takeOver(sessionId, { takeoverId });
  await eventually('the takeover', async () => (await api.showTakeover(sessionId))?.state === 'open');
  const before = acme.signIns();
  const acts = [
    { kind: 'key', key: 'Tab' },
    { kind: 'text', text: 'ada' },
    { kind: 'key', key: 'Tab' },
    { kind: 'text', text: 'lovelace' },
    { kind: 'key', key: 'Enter' },
  ] as const;
  await api.takeoverInput(sessionId, { takeoverId, acts: acts.map((act, index) => ({ number: index + 1, act })) });
  await eventually('the sign-in', () => acme.signIns() > before);
  await api.handBack(sessionId, { takeoverId });
  await eventually('the end of the takeover', async () => (await api.showTakeover(sessionId))?.state === 'ended');
  child.stdin.end('\n');
  expect(await result).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`The profile ${name} is saved as version 1.`),
  });
  expect(await run(name, visit('page'))).toBe('COMPLETED');
}, 120_000);
