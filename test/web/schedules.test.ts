/** Schedules on the page, in a real Chromium with real schedules of Temporal, and sessions that begin at a time. */
import type { Page } from 'playwright';
import { eventually } from '../support/eventually';
import { aPlan, aSession, post } from '../api/fixture';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';
import { photograph } from './photograph';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 120_000);
afterAll(() => stage.stop());

const open = (path: string, options?: Parameters<PageStage['open']>[1]): Promise<Page> =>
  stage.open(`${address}${path}#sign-in=${PAGE_KEY}`, { reducedMotion: 'reduce', ...options });

const MARKUP = `<img src=x onerror="document.title='owned'">`;

async function schedule(id: string, more: object = {}): Promise<void> {
  const request = {
    name: `Of ${id}`,
    steps: ['Open http://127.0.0.1/'],
    ...('tenant' in more ? { tenant: more.tenant } : {}),
  };
  const { tenant: _tenant, ...body } = more as { tenant?: string };
  const response = await stage.create({}).request('/v1/schedules', post({ id, cron: '0 3 * * *', request, ...body }));
  expect(response.status).toBe(201);
}

const listed = (id: string): Promise<unknown> =>
  eventually(`the schedule ${id} is listed`, async () =>
    (await stage.parts.schedules.list()).some((each) => each.id === id) ? true : undefined,
  );

test('schedules are paused, resumed, started and deleted from the page, and lead to their sessions', async () => {
  await schedule('nightly', { timeZone: 'Europe/Vienna', note: MARKUP });
  await schedule('stock', { cron: undefined, every: '1h/15m', tenant: 'acme', paused: true });
  await Promise.all(['nightly', 'stock'].map(listed));
  const page = await open('/schedules');
  const nightly = page.getByRole('listitem', { name: 'Schedule nightly' });
  await nightly.getByText(MARKUP).waitFor();
  await nightly.getByText(/in \d+ \S+ \(/).waitFor();
  expect(await nightly.innerText()).toMatch(/0 3 \* \* \*\s+Europe\/Vienna/);
  await page.getByRole('listitem', { name: 'Schedule stock' }).getByText('every 1h/15m').waitFor();

  await nightly.getByRole('button', { name: 'Pause' }).press('Enter');
  await nightly.getByText('Paused', { exact: true }).waitFor();
  await nightly.getByText('It starts nothing until it is resumed.').waitFor();
  await nightly.getByRole('button', { name: 'Resume' }).press('Enter');
  await nightly.getByText('Active', { exact: true }).waitFor();

  await nightly.getByRole('button', { name: 'Start now' }).press('Enter');
  await nightly.getByText('A session is asked for.').waitFor();
  const [started] = await eventually('the session of the schedule', async () => {
    const { sessions } = await stage.parts.schedules.get({ id: 'nightly' });
    return sessions.length > 0 ? sessions : undefined;
  });
  await stage.store.sessions.create({ ...started!, plan: aPlan({ name: 'Of nightly', steps: ['Look'] }) });
  await nightly.getByRole('link', { name: 'nightly' }).press('Enter');
  expect(new URL(page.url()).pathname).toBe('/schedules/nightly');
  await nightly.getByRole('listitem').getByText('Starting').waitFor();
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'schedules', { height: 640 });
  await nightly.getByRole('listitem').getByRole('link').press('Enter');
  await page.getByRole('heading', { name: 'Of nightly' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/sessions/${started!.sessionId}`);
  await page.goBack();

  await page.getByLabel('Tenant').selectOption('acme');
  await nightly.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?tenant=acme');
  const stock = page.getByRole('listitem', { name: 'Schedule stock' });
  await stock.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('button', { name: 'Keep it' }).press('Enter');
  await stock.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('button', { name: 'Delete the schedule' }).press('Enter');
  await stock.waitFor({ state: 'detached' });
  await page.getByText('There are no schedules of acme').waitFor();
}, 120_000);

test('an open session says when it begins, in the list and in its header, until it has begun', async () => {
  const notBefore = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const id = await aSession(stage.store, { name: 'Later', steps: ['Look'], notBefore });
  const begun = await aSession(stage.store, {
    name: 'Begun',
    steps: ['Look'],
    notBefore: new Date(Date.now() - 60_000).toISOString(),
  });
  const page = await open('/');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Later' })
    .getByText(/^Begins /)
    .waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Begun' }).getByText('Step 1 of 1').waitFor();
  await page.goto(`${address}/sessions/${id}`);
  await page.getByText(/begins in 2 h \(/).waitFor();
  await page.goto(`${address}/sessions/${begun}`);
  await page.getByText(/started /).waitFor();
  expect(await page.getByText(/begins/).count()).toBe(0);
});

test('axe finds nothing against the schedules, wide and narrow', async () => {
  await schedule('kept');
  await listed('kept');
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open('/schedules/kept', { viewport });
    await page.getByText('None yet.').waitFor();
    await page.getByText('What it starts').press('Enter');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('a schedule that is not there is said in a sentence, and a page that may only look changes none', async () => {
  const gone = await open('/schedules/gone');
  await gone.getByText('There is no schedule gone in this list.').waitFor();
  await schedule('looked-at');
  await listed('looked-at');
  const looking = await stage.open(`${address}/schedules/looked-at`);
  const card = looking.getByRole('listitem', { name: 'Schedule looked-at' });
  await card.waitFor();
  for (const name of ['Pause', 'Start now', 'Delete…'])
    expect(await card.getByRole('button', { name }).isDisabled()).toBe(true);
});
