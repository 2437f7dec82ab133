import { eventually } from '../support/eventually';
import { planned, says } from '../support/fake-activities';
import { useWorkflowHarness } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const HELD = { kind: 'held' as const, sessionId: 'another', title: 'Nightly' };
const click = [planned('c1')];

test('a session has its profile before it asks for a browser, and says which session it waits for', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'], profile: 'acme' },
    { decide: [says('PROCEED', click)], leaseProfile: [HELD, HELD, { kind: 'leased', version: 4 }] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const asked = session.seen.calls.filter((call) => /^leaseProfile|^acquireBrowser/.test(call));
  expect(asked).toEqual(['leaseProfile acme', 'leaseProfile acme', 'leaseProfile acme', 'acquireBrowser']);
  const said = session.seen.log.filter(({ type }) => type === 'SESSION_STATUS').map(({ data }) => data.message);
  expect(said).toEqual(
    expect.arrayContaining([
      'Waiting for the profile acme: session another (Nightly) has it.',
      'The session begins with version 4 of the profile acme.',
    ]),
  );
  await session.keepHistory('waited-for-profile');
}, 60_000);

test('a session that is cancelled while it waits for a profile asks for no browser', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'], profile: 'acme' },
    { decide: [says('PROCEED', click)], leaseProfile: Array.from({ length: 50 }, () => HELD) },
  );
  await eventually('it waits', () => session.seen.calls.includes('leaseProfile acme'));
  await session.handle.cancel();
  await expect(session.handle.result()).rejects.toThrow('Workflow execution cancelled');
  expect(session.seen.calls).not.toContain('acquireBrowser');
}, 60_000);

const profile = {
  name: 'acme',
  signedIn: { url: 'https://acme.example/account', text: 'Sign out' },
  login: ['Open the login', 'Enter the code'],
};

test('a session that is thrown out does its login steps, and its step anew, as if it had not begun', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'], profile },
    { decide: Array.from({ length: 6 }, () => says('PROCEED')), judgeSignIn: ['signed-out'] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  const check = 'Open https://acme.example/account, then expect "Sign out"';
  expect(
    session.seen.asked.map(({ step, stepIndex, turn, freshFrom, laterSteps }) => [
      stepIndex,
      turn,
      step.instruction,
      freshFrom,
      laterSteps,
    ]),
  ).toEqual([
    [0, 0, check, 0, []],
    [1, 0, 'Buy a bean', undefined, undefined],
    [1, 1, 'Open the login', 1, ['Enter the code', check]],
    [1, 2, 'Enter the code', 2, [check]],
    [1, 3, check, 3, []],
    [1, 4, 'Buy a bean', 4, undefined],
  ]);
  await session.keepHistory('signed-in-again');
}, 60_000);

test('a site that is down is signed in to by nobody, and the session says so', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'], profile },
    { decide: [says('ABORT')], judgeSignIn: [{ unavailable: 'It was answered with 503.' }] },
  );
  await expect(session.handle.result()).rejects.toThrow();
  expect(session.seen.asked.map(({ step }) => step.instruction)).toEqual([
    'Open https://acme.example/account, then expect "Sign out"',
  ]);
  const failed = session.seen.log.find(({ type }) => type === 'STEP_FAILED');
  expect(failed?.data.error?.message).toMatch(/^The login steps were not done, .*: It was answered with 503\.$/);
}, 60_000);

test('a wait on a page that asks to sign in does the login steps, and looks again at once', async () => {
  const found = { seen: 'It does not hold.', url: 'https://acme.example/login' };
  const profile = {
    name: 'acme',
    signedIn: { url: 'https://acme.example/account', text: 'Sign out' },
    login: ['Open the login'],
  };
  const session = await harness.start(
    { steps: ['Wait until "Shipped" is shown, at most 2 days, every 1 hour'], profile },
    {
      decide: Array.from({ length: 3 }, () => says('PROCEED')),
      lookAtSite: [
        async ({ lease }) => ({ lease, found: { ...found, finding: 'unsure', asksToSignIn: true } }),
        async ({ lease }) => ({ lease, found: { ...found, finding: 'found' } }),
      ],
    },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  const check = 'Open https://acme.example/account, then expect "Sign out"';
  expect(session.seen.asked.map(({ step, stepIndex, turn }) => [stepIndex, turn, step.instruction])).toEqual([
    [0, 0, check],
    [1, 0, 'Open the login'],
    [1, 1, check],
  ]);
  await session.keepHistory('waited-on-a-page');
}, 60_000);

test('a session waits for its exclusive secrets before its profile and its browser, and names the holder', async () => {
  const held = { kind: 'held' as const, alias: 'password', sessionId: 'another', title: 'Nightly' };
  const secrets = { password: { env: 'ACME', origins: ['https://acme.example'], exclusive: true } };
  const session = await harness.start(
    { steps: ['Buy a bean'], profile: 'acme', secrets },
    { decide: [says('PROCEED', click)], leaseSecrets: [held, held] },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const asked = session.seen.calls.filter((call) => /^lease|^acquireBrowser/.test(call));
  expect(asked).toEqual(['leaseSecrets', 'leaseSecrets', 'leaseSecrets', 'leaseProfile acme', 'acquireBrowser']);
  const said = session.seen.log.filter(({ type }) => type === 'SESSION_STATUS').map(({ data }) => data);
  expect(said).toContainEqual(
    expect.objectContaining({
      message: 'Waiting for the secret password: session another (Nightly) has it.',
      details: { status: 'ACTIVE', waitingFor: 'credential' },
    }),
  );
}, 60_000);
