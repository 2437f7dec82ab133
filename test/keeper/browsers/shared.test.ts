import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';
import type { Browsers } from '../../../worker/keeper/browsers/browsers';
import { aRoot, aSite, attach, browserFilesIn, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

function open(browsers: Browsers, sessionId: string, more: { epoch?: number; sharedBy?: string } = {}) {
  return browsers.open({ sessionId, epoch: 1, headless: true, sharedBy: 'acme', ...more });
}

/** Two sessions of one tenant, each with its page at the site. */
async function twoSessions(root = aRoot()) {
  const [browsers, site] = [await keeperOver(root), await aSite()];
  const accesses = await Promise.all([open(browsers, 'one'), open(browsers, 'two')]);
  const [one, two] = await Promise.all(accesses.map(attach));
  await Promise.all([one!.page.goto(site.url), two!.page.goto(site.url)]);
  return { browsers, site, pid: accesses[0]!.pid, accesses, one: one!, two: two! };
}

test('sessions of a tenant share one Chrome, and see nothing of each other', async () => {
  const { browsers, site, accesses, one, two } = await twoSessions();
  expect(accesses.map(({ isNew }) => isNew)).toEqual([true, true]);
  expect(new Set(browsers.list().map(({ pid }) => pid)).size).toBe(1);
  expect(new Set(accesses.map(({ browserId }) => browserId)).size).toBe(2);

  await one.page.evaluate(() => {
    document.cookie = 'who=one; max-age=600';
    localStorage.setItem('who', 'one');
  });
  await one.browser.contexts()[0]!.addCookies([{ name: 'more', value: '1', url: site.url }]);
  await two.page.reload();
  expect(await two.page.evaluate(() => [document.cookie, localStorage.getItem('who')])).toEqual(['', null]);
  expect(await two.browser.contexts()[0]!.cookies()).toEqual([]);
  const cookies = await one.browser.contexts()[0]!.cookies();
  expect(cookies.map(({ name }) => name).toSorted()).toEqual(['more', 'who']);
  expect(await one.page.evaluate(() => [innerWidth, outerHeight])).toEqual([1280, 800]);

  const opened = one.browser.contexts()[0]!.waitForEvent('page');
  await one.page.evaluate(() => void window.open('/second'));
  expect(await (await opened).textContent('body')).toBe('ok');
  expect([one, two].map(({ browser }) => browser.contexts()[0]!.pages().length)).toEqual([2, 1]);
  expect(browsers.evidence({ sessionId: 'two' }).requests.some(({ url }) => url.endsWith('/second'))).toBe(false);
  expect(browsers.evidence({ sessionId: 'one' }).requests.some(({ url }) => url.endsWith('/second'))).toBe(true);
});

test('another tenant gets another Chrome, and a session by itself one of its own', async () => {
  const browsers = await keeperOver(aRoot());
  const accesses = [
    await open(browsers, 'one'),
    await open(browsers, 'two', { sharedBy: 'other' }),
    await browsers.open({ sessionId: 'alone', epoch: 1, headless: true }),
  ];
  expect(new Set(accesses.map(({ pid }) => pid)).size).toBe(3);
});

test('each session reaches only what its own request allows', async () => {
  const [browsers, site, other] = [await keeperOver(aRoot()), await aSite(), await aSite()];
  const network = { allowedOrigins: [site.url], allowPrivateAddresses: true };
  const limited = await attach(
    await browsers.open({ sessionId: 'one', epoch: 1, headless: true, sharedBy: 'acme', network }),
  );
  const free = await attach(await open(browsers, 'two'));
  expect((await limited.page.goto(site.url))?.status()).toBe(200);
  expect((await limited.page.goto(other.url))?.status()).toBe(403);
  expect((await free.page.goto(other.url))?.status()).toBe(200);
  expect(await browsers.blockedOrigins('one')).toMatchObject([{ origin: other.url, guard: 'allowed-origins' }]);
  expect(await browsers.blockedOrigins('two')).toEqual([]);
});

test('downloads of each session go to its own folder', async () => {
  const { one, two, site } = await twoSessions();
  const sessions = await Promise.all([one, two].map(({ browser }) => browser.newBrowserCDPSession()));
  const begun: string[][] = [[], []];
  for (const [nth, session] of sessions.entries()) {
    const downloadPath = aRoot();
    session.on('Browser.downloadProgress', ({ state, guid }) => {
      if (state === 'completed') begun[nth]!.push(readFileSync(`${downloadPath}/${guid}`, 'utf8'));
    });
    await session.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath, eventsEnabled: true });
  }
  await one.page.goto(`${site.url}/file`);
  await one.page.click('a');
  await until('the download is there', () => begun[0]!.length === 1);
  expect(begun).toEqual([['the report'], []]);
});

test('the end of one session leaves the others, and Chrome goes on for the next', async () => {
  const { browsers, two, pid } = await twoSessions();
  await two.page.fill('#name', 'Ada');
  await browsers.close('one');
  expect(await two.page.inputValue('#name')).toBe('Ada');
  await browsers.close('two');
  const next = await open(browsers, 'three');
  expect(next).toMatchObject({ pid, isNew: true });
  const { page, browser } = await attach(next);
  expect([page.url(), browser.contexts()[0]!.pages().length]).toEqual(['about:blank', 1]);
});

test('what is downloaded while no worker is attached lies in the folder of its session', async () => {
  const { one, two, site, accesses } = await twoSessions();
  await two.page.goto(`${site.url}/file`);
  for (const { browser } of [one, two]) {
    const session = await browser.newBrowserCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'deny' });
  }
  await two.page.evaluate(() => void fetch('/go').then(() => document.querySelector('a')?.click()));
  await two.browser.close();
  site.letGo();
  const file = join(accesses[1]!.downloads, 'report.txt');
  await until('it is there', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
  expect(readFileSync(file, 'utf8')).toBe('the report');
  expect(readdirSync(accesses[0]!.downloads)).toEqual([]);
});

test('a download that begins in a new tab belongs to the session of the tab', async () => {
  const { one, two, site } = await twoSessions();
  const names: string[][] = [[], []];
  for (const [nth, { browser }] of [one, two].entries()) {
    const session = await browser.newBrowserCDPSession();
    session.on('Browser.downloadWillBegin', ({ suggestedFilename }) => names[nth]!.push(suggestedFilename));
    const downloadPath = aRoot();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath, eventsEnabled: true });
  }
  await two.page.setContent(`<a href="${site.url}/download" target="_blank">get it</a>`);
  await two.page.click('a');
  await until('the download has begun', () => names[1]!.length === 1);
  expect(names).toEqual([[], ['report.txt']]);
});

test('a session cannot end the Chrome that it shares', async () => {
  const { one, two } = await twoSessions();
  const session = await one.browser.newBrowserCDPSession();
  await expect(session.send('Browser.close')).rejects.toThrow('is not for a session that shares its Chrome');
  expect(await two.page.textContent('#count')).toBe('0');
});

test('a Chrome that is killed takes all its sessions, and each gets another', async () => {
  const root = aRoot();
  const { browsers, pid } = await twoSessions(root);
  process.kill(pid, 'SIGKILL');
  await until('both are gone', () => browsers.list().length === 0);
  const [one, two] = await Promise.all(['one', 'two'].map((id) => open(browsers, id, { epoch: 2 })));
  expect(one!.pid).toBe(two!.pid);
  expect(one!.pid).not.toBe(pid);
  await Promise.all(['one', 'two'].map((id) => browsers.close(id)));
  await until(
    'the folders are gone',
    () => browserFilesIn(root).filter((name) => !name.startsWith('shared-')).length === 0,
  );
});

test('a page that loses its process takes its own session alone', async () => {
  const { browsers, one, two } = await twoSessions();
  await two.page.fill('#name', 'Ada');
  const session = await one.browser.contexts()[0]!.newCDPSession(one.page);
  session.send('Page.crash').catch(() => undefined);
  await until('it is gone', () => browsers.list().length === 1);
  expect(browsers.list()).toMatchObject([{ sessionId: 'two' }]);
  expect(await two.page.inputValue('#name')).toBe('Ada');
});

test('the next keeper adopts a shared Chrome with its sessions, and closes what no session has', async () => {
  const root = aRoot();
  const { browsers, site, pid, one, two } = await twoSessions(root);
  await one.page.fill('#name', 'Ada');
  await two.page.fill('#name', 'Grace');
  await Promise.all([one.browser.close(), two.browser.close()]);
  await browsers.stop({ endBrowsers: false });

  const next = await keeperOver(root);
  expect(next.list().toSorted((a, b) => a.sessionId.localeCompare(b.sessionId))).toMatchObject([
    { sessionId: 'one', pid, epoch: 1 },
    { sessionId: 'two', pid, epoch: 1 },
  ]);
  const again = await attach(await open(next, 'one', { epoch: 2 }));
  const other = await attach(await open(next, 'two', { epoch: 2 }));
  expect([await again.page.inputValue('#name'), await other.page.inputValue('#name')]).toEqual(['Ada', 'Grace']);
  await again.page.evaluate(() => fetch('/orders', { method: 'POST' }));
  await until('the order is recorded', () => next.evidence({ sessionId: 'one' }).requests.some(({ status }) => status));
  expect(site.orders()).toBe(1);
  expect(next.evidence({ sessionId: 'two' }).requests.filter(({ method }) => method === 'POST')).toEqual([]);
  await next.close('one');
  expect(await other.page.inputValue('#name')).toBe('Grace');
});

test('a shared Chrome that nobody uses ends with its keeper', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root);
  const { pid } = await open(browsers, 'one');
  const identity = { pid, startTicks: startTicksOf(pid)! };
  later(() => isAlive(identity) && process.kill(pid, 'SIGKILL'));
  await browsers.close('one');
  await browsers.stop({ endBrowsers: false });
  expect(isAlive(identity)).toBe(false);
  expect(browserFilesIn(root)).toEqual([]);
});
