/** Second factors at a real page: a code is typed once, fresh, and is a secret wherever it shows up. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { captureDom } from '../../../activities/browser/pages/capture';
import { withMaskedSecrets } from '../../../activities/browser/pages/screenshots/mask';
import { loadSessionValues } from '../../../activities/secrets/session-values';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type Draft, type StagedSession } from '../../support/browser-session';
import { startCodeSite, type CodeSite } from '../../support/code-site';
import { eventually } from '../../support/eventually';
import { everyRow } from '../../support/every-row';

const PERIOD_S = 4;
const newSeed = (period = PERIOD_S): string =>
  `otpauth://totp/Shop:ada?secret=${new Secret({ buffer: randomBytes(20).buffer }).base32}&algorithm=SHA256&digits=8&period=${period}`;

let stage: BrowserStage;
let seed: string;
let site: CodeSite;
beforeAll(async () => {
  stage = await openBrowserStage();
  seed = newSeed();
  site = await startCodeSite(seed);
  Object.assign(stage.env, { SHOP_SEED: seed, BAD_SEED: 'hunter2!' });
});
afterAll(async () => {
  site.close();
  await stage.stop();
});
beforeEach(() => void site.sent.splice(0));

const TYPED = a('INPUT_TEXT', { selector: '#code', text: '${code}' });
const VERIFIED = a('CLICK_ELEMENT', { selector: 'role=button[name="Verify"]' });
const isShown = (text: string): Draft => a('EXPECT', { text });

async function onSite(totp: object = { env: 'SHOP_SEED' }): Promise<StagedSession> {
  const session = await stage.newSession({ secrets: { code: { totp, origins: [site.url] } } });
  await session.open(site.url);
  return session;
}

test('a code is right when it arrives, has its digits, and is not in one row, event, snapshot or DOM', async () => {
  const session = await onSite();
  await session.did([TYPED, VERIFIED, isShown('Signed in'), a('GET_DOM')], { screenshotsEnabled: true });
  const [first] = site.sent;
  expect(site.sent).toEqual([
    { code: expect.stringMatching(/^\d{8}$/) as string, isRight: true, leftMs: expect.any(Number) as number },
  ]);
  const { dom } = await captureDom(
    session.attachment(),
    await loadSessionValues(stage.store, session.sessionId, stage.env),
  );
  expect(dom).toContain(first!.code);
  const doms = await session.artifacts('dom');
  const kept = [
    ...(await everyRow(stage.databaseUrl)),
    JSON.stringify([await session.log(), await session.journal(), await session.look(), doms.map(String)]),
    JSON.stringify(session.warnings),
  ].join('\n');
  expect(kept).toContain('[secret]');
  for (const hidden of [first!.code, seed, new URL(seed).searchParams.get('secret')!])
    expect(kept).not.toContain(hidden);
});

test('near the end of a period the code of the next one is typed', async () => {
  const session = await onSite();
  await eventually('the period is nearly over', () => TOTP.remaining({ period: PERIOD_S }) < 1200);
  await session.did([TYPED, VERIFIED, isShown('Signed in')]);
  expect(site.sent).toMatchObject([{ isRight: true }]);
  expect(site.sent[0]!.leftMs).toBeGreaterThan(1200);
});

test('screenshots hide the code where the page shows it, also those of another worker', async () => {
  const session = await onSite();
  await session.did([TYPED, VERIFIED, isShown('Signed in')]);
  await session.did([isShown('Signed in')], { worker: 'second' });
  const values = await loadSessionValues(stage.store, session.sessionId, stage.env);
  const page = session.page('second');
  const hidden = await withMaskedSecrets(session.attachment('second'), values.pageSearch!, 10_000, () =>
    page.locator('p').evaluate((shown) => shown.getAttribute('style')),
  );
  expect(hidden).not.toBeNull();
  expect(await page.locator('p').getAttribute('style')).toBeNull();
});

test('a code is typed once in its period, by sessions beside each other and by a repeated command', async () => {
  const sessions = await Promise.all([onSite(), onSite()]);
  await Promise.all(sessions.map((session) => session.did([TYPED, VERIFIED, isShown('Signed in')])));
  const [again] = sessions;
  await again!.did([a('OPEN_PAGE', { url: site.url }), TYPED, TYPED, VERIFIED, isShown('Signed in')]);
  expect(site.sent.map(({ isRight }) => isRight)).toEqual([true, true, true]);
  expect(new Set(site.sent.map(({ code }) => code)).size).toBe(3);
});

test('a browser that is restored does not get the old code back into its field', async () => {
  const session = await onSite();
  await session.did([TYPED]);
  const typed = await session.page().inputValue('#code');
  await session.releaseBrowser();
  await session.acquire('second');
  expect(typed).toMatch(/^\d{8}$/);
  expect(await session.page('second').inputValue('#code')).toBe('');
  await session.did([TYPED, VERIFIED, isShown('Signed in')], { worker: 'second' });
  expect(site.sent.map(({ isRight, code }) => [isRight, code === typed])).toEqual([[true, false]]);
});

test('a seed that was given with the request, in groups of letters, works, and its alias is no text', async () => {
  const value = new URL(seed).searchParams
    .get('secret')!
    .toLowerCase()
    .replaceAll(/(.{4})/g, '$1 ');
  const session = await onSite({ value });
  await session.did([TYPED]);
  expect(await session.page().inputValue('#code')).toMatch(/^\d{6}$/);
  const { outcomes } = await session.run([isShown('${code}')], { timeoutMs: 500 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
});

test('a seed is typed on its own origins alone, and no code of it is spent elsewhere', async () => {
  const session = await stage.newSession({
    secrets: { code: { totp: { env: 'SHOP_SEED' }, origins: ['https://shop.example'] } },
  });
  await session.open(site.url);
  const { outcomes } = await session.run([TYPED]);
  expect(outcomes).toMatchObject([{ status: 'failed', message: expect.stringContaining('shop.example') as string }]);
  const [secret] = await stage.store.secrets.ofSession(session.sessionId);
  expect(secret!.typedSteps).toEqual([]);
});

test('what is no seed ends the session before it has a browser, in a sentence without it', async () => {
  const session = await stage.newSession({ secrets: { code: { totp: { env: 'BAD_SEED' }, origins: [site.url] } } });
  const refused = await session.acquire().catch((error: unknown) => error);
  expect(refused).toMatchObject({
    message: expect.stringContaining('variable BAD_SEED of the browser worker') as string,
  });
  expect(JSON.stringify(refused)).not.toContain('hunter2');
  const rows = await everyRow(stage.databaseUrl);
  expect(rows.filter((row) => row.startsWith('leases:') && row.includes(session.sessionId))).toEqual([]);
});
