/** Sessions that sign in where they are not signed in: at their start, and when the site throws them out in the middle. */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { ProfileInput } from '../../contracts/sessions/profile';
import { startAcme, type Acme } from '../support/acme';
import { eventually } from '../support/eventually';
import { endOf, ONE_OF_EACH, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { SESSION_STATUS, STEP_COMPLETED, STEP_STARTED } = StreamEventType;

let stack: WholeStack;
let acme: Acme;
beforeAll(async () => {
  acme = await startAcme();
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  acme.stop();
  await stack.stop();
}, 60_000);

const login = (): string[] => [
  `Open ${acme.url}/login`,
  'Type "ada" into User and type "lovelace" into Password',
  'Click "Sign in" button',
];

function aProfile(change: { text?: string; login?: string[] } = {}): Exclude<ProfileInput, string> {
  const { text = 'Signed in, page' } = change;
  return {
    name: `profile-${randomUUID().slice(0, 8)}`,
    signedIn: { url: `${acme.url}/page`, text },
    login: 'login' in change ? change.login : login(),
  };
}

async function start(profile: ProfileInput, steps: string[]): Promise<string> {
  const config = { executorConfig: { screenshotsEnabled: false } };
  return (await stack.client.start({ steps, profile, config })).sessionId;
}

/** A session that is signed in, and stands on /page when the site has forgotten it. */
async function thrownOut(step: string, ...more: string[]): Promise<string> {
  const release = acme.hold();
  const sessionId = await start(aProfile(), [`Open ${acme.url}/page`, `Open ${acme.url}/slow`, step, ...more]);
  await recordOf(stack, sessionId, 'the slow page', ({ type, stepIndex }) => type === STEP_STARTED && stepIndex === 2);
  await eventually('the slow page is asked for', () => acme.isHeld());
  acme.expire();
  release();
  return sessionId;
}

const signInsIn = async (sessionId: string): Promise<number> =>
  (await stack.logOf(sessionId)).filter(
    ({ type, data }) => type === SESSION_STATUS && data.details?.['signsIn'] === true,
  ).length;

it('the login steps are done where the session is not signed in, and only there', async () => {
  const profile = aProfile();
  const before = acme.signIns();
  const first = await start(profile, [`Open ${acme.url}/next`, 'Expect "Signed in, next"']);
  expect(await endOf(stack, first)).toBe('COMPLETED');
  const second = await start(profile, [`Open ${acme.url}/next`, 'Expect "Signed in, next"']);
  expect(await endOf(stack, second)).toBe('COMPLETED');
  expect(acme.signIns() - before).toBe(1);
  const log = await stack.logOf(second);
  expect(log.filter(({ type }) => type === STEP_COMPLETED).map(({ data }) => data.step!.stepContent)).toEqual([
    `Sign in with the profile ${profile.name}`,
    `Open ${acme.url}/next`,
    'Expect "Signed in, next"',
  ]);
}, 120_000);

it('a session that is thrown back to the sign-in page signs in, and does its step once more', async () => {
  const before = acme.signIns();
  const opens = await thrownOut(`Open ${acme.url}/next`, 'Expect "Signed in, next"');
  expect(await endOf(stack, opens)).toBe('COMPLETED');
  const clicks = await thrownOut('Click "Next"', 'Expect "Signed in, next"');
  expect(await endOf(stack, clicks)).toBe('COMPLETED');
  // Each once at its start, and once in the middle.
  expect(acme.signIns() - before).toBe(4);
  expect([await signInsIn(opens), await signInsIn(clicks)]).toEqual([1, 1]);
}, 180_000);

it('what the site has refused by its sign-in page is sent again, and what it has taken is not', async () => {
  const before = acme.orders();
  const refused = await thrownOut('Click "Order" button');
  expect(await endOf(stack, refused)).toBe('COMPLETED');
  expect([acme.orders() - before, await signInsIn(refused)]).toEqual([1, 1]);
  const taken = await start(aProfile(), [
    `Open ${acme.url}/page`,
    'Click "Order last"',
    `Open ${acme.url}/next`,
    'Expect "Signed in, next"',
  ]);
  expect(await endOf(stack, taken)).toBe('COMPLETED');
  expect([acme.orders() - before, await signInsIn(taken)]).toEqual([2, 1]);
}, 180_000);

it('a sign-in that does not succeed is not tried again, and says what is missing', async () => {
  const before = acme.signIns();
  const wrong = await start(aProfile({ text: 'Administrator' }), [`Open ${acme.url}/next`]);
  expect(await endOf(stack, wrong)).toBe('FAILED');
  expect((await stack.client.get(wrong)).error!.message).toBe(
    `The login steps were done, and the session is not signed in: “Administrator” is not shown at ${acme.url}/page.`,
  );
  expect(acme.signIns() - before).toBe(1);
  acme.expire();
  const { login: _none, ...bare } = aProfile();
  const byHand = await start(bare, [`Open ${acme.url}/next`]);
  expect(await endOf(stack, byHand)).toBe('FAILED');
  expect((await stack.client.get(byHand)).error!.message).toContain(`surefoot profiles login ${bare.name}`);
}, 120_000);

it('a fork whose sign-in has expired signs in, and begins on the page of its first step', async () => {
  const failed = await start(aProfile(), [`Open ${acme.url}/next`, 'Click "Nowhere"']);
  expect(await endOf(stack, failed)).toBe('FAILED');
  const before = acme.signIns();
  acme.expire();
  const steps = ['Expect "Signed in, next"'];
  const { sessionId } = await stack.client.fork(failed, { fromStep: 3, steps });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect([acme.signIns() - before, await signInsIn(sessionId)]).toEqual([1, 1]);
}, 120_000);

it('a fork is refused without the secrets of its login steps, which it needs once its sign-in expires', async () => {
  const [open, , submit] = login();
  const profile = aProfile({ login: [open!, 'Type "ada" into User and type "${password}" into Password', submit!] });
  const secrets = { password: { value: 'lovelace', origins: [acme.url] } };
  const config = { executorConfig: { screenshotsEnabled: false } };
  const { sessionId } = await stack.client.start({ steps: [`Open ${acme.url}/page`], profile, secrets, config });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  await expect(stack.client.fork(sessionId, { fromStep: 2 })).rejects.toThrow(
    'a login step of its profile uses it, and a fork never copies secrets; give it again',
  );
  const fork = await stack.client.fork(sessionId, { fromStep: 2, secrets });
  expect(await endOf(stack, fork.sessionId)).toBe('COMPLETED');
}, 120_000);
