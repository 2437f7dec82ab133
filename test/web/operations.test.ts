/** The operations view in a real Chromium, on the real API and database: troubles, charts as pictures and tables, addresses. */
import type { Page } from 'playwright';
import { connect } from '../../store/database/connect';
import { aFailure, anOpenBreaker, aPaidSession, aRunningSystem, inTheQueue } from '../support/operations-figures';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';
import { photograph } from './photograph';

const MARKUP = `<img src=x onerror="document.title='owned'">`;

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
  await beat();
  await stage.store.operations.noteBrowserUse();
  beats = setInterval(() => void beat(), 2000);
  await someDays();
}, 120_000);
afterAll(async () => {
  clearInterval(beats);
  await stage.stop();
});

/** Keepers and workers that report, as the real ones do. */
let running = { browsers: 6, capacity: 8, modules: ['step-processor', 'executor', 'frontend-api'] };
let beats: NodeJS.Timeout;
async function beat(): Promise<void> {
  await aRunningSystem(stage.store, running);
  const host = { hostId: 'host-b', keeperUrl: 'http://127.0.0.1:1', token: 't', capacity: 4, browsers: 4 };
  await stage.store.hosts.heartbeat(host);
}

/** Sessions, calls and failures over the last days, more of them at noon of the week. */
async function someDays(): Promise<void> {
  const { store } = stage;
  for (const [model, cost] of [
    ['vertexai/gemini-2.5-flash', '0.0123'],
    ['ai:openai/gpt-5', '0.31'],
    ['ai:openai/gpt-5', '0.12'],
  ] as const)
    for (let times = 0; times < 8; times += 1)
      await aPaidSession(store, { model, cost, outcome: times === 3 ? 'unavailable' : 'replied' });
  for (let times = 0; times < 3; times += 1) await aFailure(store, 'EX002', 'No element fits button "Buy now".');
  await aFailure(store, 'TL002', 'The model has not answered within 60 s.');
  await aFailure(store, 'EX001', 'The browser was lost.', 'acme');
  const sql = connect(stage.databaseUrl);
  await sql`
    with moved as (
      select session_id, (row_number() over (order by session_id))::int % 7 as days from sessions),
    sessions_moved as (
      update sessions s set created_at = created_at - days * interval '1 day', last_activity = last_activity - days * interval '1 day'
      from moved m where m.session_id = s.session_id)
    update model_calls c set at = at - days * interval '1 day' from moved m where m.session_id = c.session_id`;
  // Of this month, but not of this week.
  const old = await aFailure(store, 'EX003', MARKUP);
  await sql`update sessions set created_at = now() - interval '20 days', last_activity = now() - interval '20 days' where session_id = ${old}`;
  await sql.end();
}

const open = (path: string, options?: Parameters<PageStage['open']>[1]): Promise<Page> =>
  stage.open(`${address}${path}#sign-in=${PAGE_KEY}`, {
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Vienna',
    ...options,
  });

test('what runs, costs and fails is shown, with what to do, and what a site said is text', async () => {
  const page = await open('/operations');
  await page.getByText('All is well').waitFor();
  await page.getByText('of 12', { exact: true }).waitFor();
  const hosts = page.getByRole('region', { name: 'Hosts' });
  expect(await hosts.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Host'),
    expect.stringMatching(/host-a\s+Reports\s+6 of 8/),
    expect.stringMatching(/host-b\s+Reports\s+4 of 4/),
  ]);
  const failures = page.getByRole('region', { name: 'Failures by error code' });
  await failures.getByText('3 × EX002').waitFor();
  await failures.getByText('Name the element as the page shows it.').waitFor();
  const models = page.getByRole('region', { name: 'Cost by model' });
  await models.getByRole('row', { name: 'ai:openai/gpt-5 16 2 16,000 $3.44' }).waitFor();
  await page.getByRole('img', { name: 'Cost, each day: $3.54 in all' }).waitFor();
  const browsers = page.getByRole('figure', { name: 'Most browsers at once, each day' });
  await browsers.getByText('now 10, 10 at most').waitFor();
  const sessions = page.getByRole('figure', { name: 'Sessions that ended, each day' });
  await sessions.getByText('As a table').press('Enter');
  expect(await sessions.getByRole('row').count()).toBe(8);
  await failures.getByRole('link', { name: 'the newest' }).first().press('Enter');
  await page.waitForURL(/\/sessions\/[0-9a-f-]{36}$/);
  await page.goto(`${address}/operations?period=month`);
  await failures.getByText(MARKUP).waitFor();
  expect(await page.title()).toMatch(/Operations · Surefoot$/);
});

test('period and tenant live in the address, and a wrong one is shown as the usual', async () => {
  const page = await open('/operations?tenant=acme');
  const failures = page.getByRole('region', { name: 'Failures by error code' });
  await failures.getByText('1 × EX001').waitFor();
  expect(await failures.getByRole('listitem').count()).toBe(1);
  await page.getByText('Hosts, workers, models and retention are those of all tenants.').waitFor();
  await page.getByRole('button', { name: 'Month' }).press('Enter');
  expect(new URL(page.url()).search).toBe('?tenant=acme&period=month');
  await page.getByText('ended in 30 days').waitFor();
  await page.goBack();
  await page.getByText('ended in 7 days').waitFor();
  await page.goto(`${address}/operations?period=century`);
  expect(await page.getByRole('button', { name: 'Week' }).getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Day', exact: true }).press('Enter');
  await page.getByRole('figure', { name: 'Sessions that ended, each hour' }).waitFor();
});

test('troubles come and go by themselves, the worst first, and lead to where they are fixed', async () => {
  const page = await open('/operations');
  await page.getByText('All is well').waitFor();
  running = { ...running, browsers: 8 };
  await inTheQueue(stage.store, 4 * 60_000);
  await inTheQueue(stage.store, 60_000);
  await anOpenBreaker(stage.store, 'ai:openai/gpt-5');
  const troubles = page.getByRole('region', { name: 'Troubles' }).getByRole('listitem');
  const queue = troubles.filter({ hasText: '2 sessions wait for a browser' });
  await queue.getByText('raise SUREFOOT_MAX_BROWSERS').waitFor();
  await troubles.filter({ hasText: 'The breaker of ai:openai/gpt-5 is open after 1 outage' }).waitFor();
  await photograph(page, 'operations', { height: 1560 });
  running = { ...running, modules: running.modules.slice(1) };
  await stage.store.processes.leave('one-step-processor');
  await troubles.first().getByText('No engine worker runs').waitFor();
  await queue.getByRole('link', { name: 'Show them' }).press('Enter');
  await page.getByRole('searchbox').waitFor();
  expect(new URL(page.url()).search).toBe('?show=open&sort=lastActivity');
});

test('axe finds nothing against operations, wide and narrow', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open('/operations', { viewport });
    for (const summary of await page.getByText('As a table').all()) await summary.press('Enter');
    await page.getByRole('region', { name: 'Retention' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});
