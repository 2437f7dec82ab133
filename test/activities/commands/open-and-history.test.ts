import { errorTypeOf } from '../../../contracts/events/formats/run-end';
import { a, type StagedSession } from '../../support/browser-session';
import { deadUrl, openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** One session for all but the test that needs an empty history. */
let shared: StagedSession | undefined;
async function on(path: string): Promise<StagedSession> {
  shared ??= await stage.newSession({ variables: { part: 'keys', home: '/parts/keys' } });
  await shared.open(path);
  return shared;
}

test('opens a page with variables filled into its address', async () => {
  const session = await on('/parts/terms');
  await session.did([a('OPEN_PAGE', { url: `${stage.shop.url}/parts/\${part}` })]);
  expect(await session.look()).toMatchObject({
    url: `${stage.shop.url}/parts/keys`,
    title: 'Keys · Surefoot Supply',
    tabs: [{ isActive: true }],
  });
});

test('[S1.A7] refuses an address that is not absolute, before and after variables are filled in', async () => {
  const session = await on('/parts/terms');
  for (const url of ['/parts/keys', 'file:///etc/passwd', '${home}']) {
    const { outcomes } = await session.run([a('OPEN_PAGE', { url })]);
    expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  }
});

test('fails to open an address that does not answer, and reports why', async () => {
  const session = await on('/parts/terms');
  const dead = new URL(await deadUrl());
  for (const url of [dead.href, `https://${dead.host}/`]) {
    const { outcomes } = await session.run([a('OPEN_PAGE', { url })]);
    expect(outcomes).toMatchObject([{ status: 'failed', code: 'TL002' }]);
    const { error } = await session.lastEntry();
    // With what Chrome said (S1.R22), and no time-out for S3.
    expect(error).toMatchObject({ moduleId: 'executor', cause: { message: expect.stringContaining('net::ERR_') } });
    expect(errorTypeOf(error ?? undefined)).toBe('internal');
    expect(outcomes[0]?.message).toContain(`${url} could not be opened: its host was not found, could not be reached`);
  }
});

test('goes back to the previous page', async () => {
  const session = await on('/parts/keys');
  await session.open('/parts/terms');
  expect(await session.did([a('GO_BACK'), a('EXPECT', { title: 'Keys' })])).toMatchObject({ isInterrupted: false });
});

test('fails to go back without a previous page', async () => {
  const session = await stage.newSession();
  const { outcomes } = await session.run([a('GO_BACK')]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'TL004', message: /no page to go back to/ }].map(relaxed));
});

test('[S1.R11, S1.A38] answers GET_DOM with the whole page', async () => {
  const session = await on('/parts/terms');
  const { page } = await session.did([a('GET_DOM')]);
  expect(page.domId).toBe((await session.lastEntry()).domId);
  expect((await session.artifacts('dom')).at(-1)?.toString()).toMatch(
    /^<!DOCTYPE html><html lang="en">[^]*Walk carefully/,
  );
});

function relaxed<T extends { message: RegExp }>(expected: T): Record<string, unknown> {
  return { ...expected, message: expect.stringMatching(expected.message) as string };
}
