import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endChrome, startChrome } from '../../../worker/keeper/chrome/chrome';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';
import { aRoot, aSite, attach, CHROMIUM, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

function aMarker(root: string, sessionId: string | undefined, identity: { pid: number; startTicks: string }) {
  const folder = join(root, sessionId ?? 'pool-1');
  mkdirSync(folder, { recursive: true });
  const marker = {
    sessionId,
    ...identity,
    proxyPort: 9,
    browserId: 'x',
    epoch: 1,
    startedAt: '2026-01-01T00:00:00Z',
  };
  writeFileSync(join(folder, 'browser.json'), JSON.stringify(marker));
  return folder;
}

test('a new keeper adopts the Chromes of one that is gone, with pages, epochs and fresh evidence', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const first = await keeperOver(root);
  const before = await first.open({ sessionId: 's', epoch: 4, headless: true });
  const { page } = await attach(before);
  await page.goto(site.url);
  await page.fill('#name', 'Ada Lov');
  await first.stop({ endBrowsers: false });

  const second = await keeperOver(root);
  expect(second.list()).toMatchObject([{ sessionId: 's', pid: before.pid, epoch: 4, attachedWorkers: 0 }]);
  await expect(second.openRelay({ sessionId: 's', epoch: 4 })).rejects.toMatchObject({ status: 409 });
  const after = await second.open({ sessionId: 's', epoch: 5, headless: true });
  expect(after).toMatchObject({ pid: before.pid, isNew: false });
  const again = await attach(after);
  expect(await again.page.inputValue('#name')).toBe('Ada Lov');

  await again.page.evaluate(() => fetch('/orders', { method: 'POST' }));
  await until('the order is recorded', () => second.evidence({ sessionId: 's' }).requests.some(({ status }) => status));
});

/** What a Chrome does while no keeper is there: `first` is gone when the script, which sends one POST more, begins. */
async function aloneWith(script: string, document: 'read' | 'answer' = 'read') {
  const [root, site] = [aRoot(), await aSite()];
  const first = await keeperOver(root);
  const access = await first.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser, page } = await attach(access);
  await page.goto(site.url);
  if (document === 'answer') {
    await page.setContent(`<form method="post" action="${site.url}/"><button>Order</button></form>`);
    await page.click('button');
    await page.waitForSelector('#count');
  }
  await page.fill('#name', 'Ada Lov');
  const before = site.orders();
  await page.evaluate(`void fetch('/go').then(() => fetch('/begun', { method: 'POST' })).then(() => { ${script} })`);
  await browser.close();
  await first.stop({ endBrowsers: false });
  site.letGo();
  await until('the script has begun', () => site.orders() === before + 1);

  const next = await keeperOver(root);
  const again = async () => (await attach(await next.openRelay({ sessionId: 's', epoch: 2 }))).page;
  return { site, next, again };
}

test('unblocks a page whose dialog opened while no keeper was there', async () => {
  const { again } = await aloneWith(`confirm('Still there?')`);
  const page = await again();
  await page.fill('#name', 'free');
  expect(await page.inputValue('#name')).toBe('free');
});

test('a blocked page that is the response to a form is not requested again: nothing is ordered twice', async () => {
  const { site, next } = await aloneWith(`confirm('Still there?')`, 'answer');
  expect(next.list()).toMatchObject([{ sessionId: 's' }]);
  expect(site.orders()).toBe(2);
  expect(next.evidence({ sessionId: 's' }).requests.filter(({ url }) => url === `${site.url}/`)).toMatchObject([
    { method: 'GET' },
    { method: 'POST', status: 200 },
  ]);
});

test('a slow page keeps what was typed into it', async () => {
  // A request that is waited for blocks the page as a loop would, and takes no processor.
  const { again } = await aloneWith(
    `const request = new XMLHttpRequest(); request.open('GET', '/late', false); request.send();`,
  );
  expect(await (await again()).inputValue('#name')).toBe('Ada Lov');
});

test('removes the folders of a dead Chrome and of one that never started', async () => {
  const root = aRoot();
  const dead = aMarker(root, 'dead', { pid: 2 ** 22 - 3, startTicks: '1' });
  const empty = join(root, 'empty');
  mkdirSync(empty);

  const browsers = await keeperOver(root);
  expect(browsers.list()).toEqual([]);
  expect([dead, empty].map((folder) => existsSync(folder))).toEqual([false, false]);
});

test('never ends a process that merely has the id of one of its Chromes', async () => {
  const root = aRoot();
  const foreign = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  later(() => foreign.kill('SIGKILL'));
  const pid = foreign.pid ?? 0;
  const startTicks = startTicksOf(pid) ?? '';
  aMarker(root, 'stale', { pid, startTicks: `${startTicks}0` });
  aMarker(root, undefined, { pid, startTicks: `${startTicks}1` });

  const browsers = await keeperOver(root);
  await browsers.close('stale');
  expect(browsers.list()).toEqual([]);
  expect(isAlive({ pid, startTicks })).toBe(true);
});

test('ends the unused Chromes of a killed keeper', async () => {
  const root = aRoot();
  const unused = await startChrome({
    chromiumPath: CHROMIUM,
    folder: join(root, 'pool-1'),
    headless: true,
    proxyPort: 1,
  });
  later(() => endChrome(unused));

  await keeperOver(root);
  expect([isAlive(unused), existsSync(unused.folder)]).toEqual([false, false]);
});
