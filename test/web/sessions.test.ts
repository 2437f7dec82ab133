/** The list of sessions in a real Chromium, on the real API and database. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SessionStatus } from '../../contracts/sessions/session';
import { connect } from '../../store/database/connect';
import { aSession, endSession } from '../api/fixture';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

const MARKUP = `<img src=x onerror="document.title='owned'"> & "quoted"`;

test('the list finds, filters and sorts by its address, and shows what happens by itself', async () => {
  const wanted = await aSession(stage.store, { name: MARKUP, steps: ['Open http://127.0.0.1/one', 'Click "Buy"'] });
  const other = await aSession(stage.store, { steps: ['Wait for 100% of it'] });
  const page = await stage.open(address);
  const row = page.getByRole('listitem').filter({ hasText: MARKUP });
  await row.getByText('Starting').waitFor();
  await endSession(stage.store, wanted);
  await row.getByText('Completed').waitFor();
  expect(await row.innerText()).toContain('2 steps');

  await page.keyboard.press('/');
  await page.keyboard.type('100% of');
  await page.getByText('1 session', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=100%25+of');
  expect(await page.getByRole('listitem').innerText()).toContain(other.slice(0, 8));

  await page.goto(`${address}/?show=completed&q=${wanted.slice(0, 8)}&sort=name`);
  await row.waitFor();
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.getByText('No session fits').waitFor();
  expect(new URL(page.url()).searchParams.get('show')).toBe('failed');
  await page.goBack();
  await row.waitFor();
  expect(await page.title()).toMatch(/Sessions · Surefoot$/);
});

test('ten thousand sessions are listed and scrolled to their end with few rows drawn', async () => {
  const id = await aSession(stage.store, { steps: ['Look'], tenant: 'many' });
  const sql = connect(stage.databaseUrl);
  await sql`
    insert into sessions (session_id, workflow_id, status, closed, executor_session_id, stream_id, ai_connection_id, plan, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'COMPLETED', true, 'x', 'x', 'x',
      jsonb_set(plan, '{name}', to_jsonb('Number ' || n)), now() - n * interval '1 minute'
    from sessions, generate_series(1, 10000) n where session_id = ${id}`;
  const page = await stage.open(`${address}/?show=completed&q=Number`);
  await page.getByText(`${(10_000).toLocaleString('en-US')} sessions`).waitFor();
  await page.keyboard.press('End');
  await page.getByText('Number 10000', { exact: true }).waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  await sql`delete from sessions where plan->>'name' like 'Number %'`;
  await sql.end();
}, 60_000);

test('the limits of a session, and what they are in Temporal, are shown on demand', async () => {
  const id = await aSession(stage.store, { steps: ['Look'], config: { timeouts: { stepTimeoutMs: 61_000 } } });
  const page = await stage.open(`${address}/sessions/${id}`);
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByText('Limits', { exact: true }).click();
  expect(await limits.innerText()).toMatch(/stepTimeoutMs\s+61 s of active time/);
  expect(await limits.innerText()).toMatch(/decide, runModelTurn\s+to engine: one try 4 × /);
  expect(await violations(page)).toEqual([]);
});

test('with a token the page asks for it, and only a cookie that no script reads stays', async () => {
  const token = 'a-token-of-enough-characters';
  const own = await stage.at({ token });
  const page = await stage.open(own);
  await page.getByLabel('Token of this API').fill('a-guess');
  await page.keyboard.press('Enter');
  await page.getByText('Expected the token of this API').waitFor();
  await page.getByLabel('Token of this API').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(cookie!.value).not.toContain(token);
  const kept = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
  expect(kept).toEqual(['', 0, 0]);
  const isForged = `${own}/v1/sessions`;
  const forged = { cookie: `${cookie!.name}=${Date.now() + 1e6}.${cookie!.value.split('.')[1]}` };
  expect((await fetch(isForged, { headers: forged })).status).toBe(401);
  // Cookies do not know ports: the same browser on a page of another port.
  const shared = { cookie: `${cookie!.name}=${cookie!.value}`, 'sec-fetch-site': 'same-site' };
  expect((await fetch(isForged, { headers: shared })).status).toBe(401);
});

test('without a token a page looks, and acts only after it was opened by the key of the stack', async () => {
  const cancel = (page: Awaited<ReturnType<PageStage['open']>>) =>
    page.evaluate(async (id) => (await fetch(`/v1/sessions/${id}/cancel`, { method: 'POST' })).status, 'x'.repeat(8));
  const looking = await stage.open(address);
  await looking.getByText('You can look, but not act.').waitFor();
  expect(await cancel(looking)).toBe(403);
  const wrong = await stage.open(`${address}/#sign-in=another-key`);
  await wrong.getByText('Expected the key that the start of the stack has printed').waitFor();
  expect(await cancel(wrong)).toBe(403);

  const acting = await stage.open(`${address}/#sign-in=${PAGE_KEY}`);
  await acting.getByRole('searchbox').waitFor();
  expect(acting.url()).toBe(`${address}/`);
  expect(await acting.getByText('You can look').count()).toBe(0);
  expect(await cancel(acting)).toBe(404);
  const [cookie] = await acting.context().cookies();
  const elsewhere = { cookie: `${cookie!.name}=${cookie!.value}`, origin: 'http://127.0.0.1:4000' };
  const refused = await fetch(`${address}/v1/sessions/x/cancel`, { method: 'POST', headers: elsewhere });
  expect(refused.status).toBe(403);
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing against the list, wide and narrow, in %s',
  async (colorScheme) => {
    const failed = await aSession(stage.store, { steps: ['Pay'] });
    await endSession(stage.store, failed, SessionStatus.FAILED);
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await stage.open(address, { colorScheme, viewport, reducedMotion: 'reduce' });
      await page.getByText('Failed').first().waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
  },
);

test('the first view has less than 150 KB of script, and its policy is kept', () => {
  const folder = join(__dirname, '..', '..', 'dist', 'web');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\/(page\/[^"]+\.js)"/g)].map(([, name]) => name!);
  expect(scripts.length).toBeGreaterThan(0);
  const bytes = scripts.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.br`)).length, 0);
  expect(bytes).toBeLessThan(150_000);
  expect(html).not.toMatch(/https?:|<script(?! type="module" crossorigin src=)/);
  expect(readdirSync(join(folder, 'page')).some((name) => name.endsWith('.map'))).toBe(false);
  // Requests that a test made fail on purpose are errors to a browser too.
  expect(stage.errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});
