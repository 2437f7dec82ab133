import { join } from 'node:path';
import type { Page } from 'playwright';
import type { BrowserAccess } from '../../../contracts/browsers/keeper';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { aRoot, aSite, attach, aWorkerProcess, cleanUp, keeperOver, unreadBytes, until } from '../fixture';
import { freeze } from '../../support/freeze';

afterEach(cleanUp);

test('text that a killed worker had half typed is still there for the next epoch', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const first = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = await aWorkerProcess(first);
  expect(await worker.run(`await page.goto('${site.url}'); await page.fill('#name', 'Ada Lov')`)).toBe('done');
  worker.process.kill('SIGKILL');

  const second = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  const { page } = await attach(second);

  expect(await page.inputValue('#name')).toBe('Ada Lov');
  const { endpoint, token, browserId, ...same } = second;
  expect(first).toMatchObject({ ...same, browserId, epoch: 1, isNew: true });
  expect([first.endpoint, first.token]).not.toEqual([endpoint, token]);
});

test('a newer epoch cuts off the older one: its click fails, nothing is counted, its port refuses', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const old = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const stale = await attach(old);
  await stale.page.goto(site.url);
  await stale.page.click('button');

  const access = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  await expect(stale.page.click('button', { timeout: 3000 })).rejects.toThrow(/closed/);
  await expect(attach(old)).rejects.toThrow(/ECONNREFUSED/);

  const { page } = await attach(access);
  expect(await page.textContent('#count')).toBe('1');
});

test('a worker that was frozen while it was replaced can do nothing when it wakes', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = await aWorkerProcess(access);
  await worker.run(`await page.goto('${site.url}')`);
  await freeze(worker.process.pid!);
  const woken = worker.run(`await page.click('button', { timeout: 3000 })`);

  const next = await attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  worker.process.kill('SIGCONT');

  expect(await woken).toMatch(/closed/);
  expect(await next.page.textContent('#count')).toBe('0');
});

/** Sends a click as Playwright does, without waiting for Chrome, which may be stopped. */
async function preparedClick(page: Page): Promise<() => void> {
  const { x, y } = (await page.locator('button').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  return () => {
    for (const type of ['mousePressed', 'mouseReleased'] as const) {
      const event = { type, x: x + 5, y: y + 5, button: 'left', clickCount: 1 } as const;
      session.send('Input.dispatchMouseEvent', event).catch(() => {});
    }
  };
}

/** Stops a session's Chrome and sends it a click, which it has not read then; resolves to its pid. */
async function stopWithUnreadClick(
  root: string,
  browsers: Awaited<ReturnType<typeof keeperOver>>,
  url: string,
): Promise<number> {
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { pid } = access;
  const { page } = await attach(access);
  await page.goto(url);
  const click = await preparedClick(page);
  await freeze(pid);
  click();
  const { folder } = listBrowserRecords(root)[0]!;
  await until('it has reached the stopped Chrome', () => unreadBytes(join(folder, 'devtools-commands')) > 0);
  return pid;
}

test('a click unread by a stopped Chrome when its worker is cut off comes before the next worker', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const browsers = await keeperOver(root);
  const pid = await stopWithUnreadClick(root, browsers, site.url);

  await expect(browsers.openRelay({ sessionId: 's', epoch: 2 })).rejects.toMatchObject({ status: 423 });
  expect(browsers.list()).toMatchObject([{ epoch: 1, attachedWorkers: 0 }]);
  const opening = browsers.openRelay({ sessionId: 's', epoch: 2 });
  process.kill(pid, 'SIGCONT');

  const next = await attach(await opening);
  expect(await next.page.textContent('#count')).toBe('1');
});

/** Counts the clicks as the next worker finds them, and once more when everything that was sent before it has arrived. */
async function countsAfterTakeover(access: BrowserAccess): Promise<(string | null)[]> {
  const { page } = await attach(access);
  const first = await page.textContent('#count');
  // What the compositor still has reaches the page before its second frame.
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`);
  return [first, await page.textContent('#count')];
}

test('a click unread by a stopped Chrome when its keeper dies comes before the next worker', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const killed = await keeperOver(root);
  const pid = await stopWithUnreadClick(root, killed, site.url);
  await killed.stop({ endBrowsers: false });
  process.kill(pid, 'SIGCONT');

  const successor = await keeperOver(root);
  const next = await successor.openRelay({ sessionId: 's', epoch: 2 });
  expect(await countsAfterTakeover(next)).toEqual(['1', '1']);
});

test('a click waiting for a busy page when its keeper dies comes before the next worker', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const killed = await keeperOver(root);
  const access = await killed.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser, page } = await attach(access);
  const browserSession = await browser.newBrowserCDPSession();
  await page.goto(site.url);
  const click = await preparedClick(page);
  page
    .evaluate(
      `new Promise(() => setTimeout(() => {
        fetch('/busy', { method: 'POST' });
        for (const end = performance.now() + 3000; performance.now() < end; );
      }))`,
    )
    .catch(() => {});
  await until('the page is busy', () => site.orders() === 1);
  click();
  // Chrome answers in turn, so it has read the click.
  await browserSession.send('Browser.getVersion');
  await killed.stop({ endBrowsers: false });

  const successor = await keeperOver(root);
  const next = await successor.openRelay({ sessionId: 's', epoch: 2 });
  expect(await countsAfterTakeover(next)).toEqual(['1', '1']);
});

test('a click that blocks its page is waited for before the next worker is let in', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = await aWorkerProcess(access);
  await worker.run(`await page.goto('${site.url}')`);
  await worker.run(
    `await page.evaluate(() => document.querySelector('button').addEventListener('click', () => {
      document.title = 'busy';
      fetch('/slow-click', { method: 'POST' });
      for (const end = performance.now() + 3000; performance.now() < end; );
    }))`,
  );
  void worker.run(`await page.click('button')`);
  await until('the click has arrived', () => site.orders() === 1);
  worker.process.kill('SIGKILL');

  const next = await attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  expect(await next.page.textContent('#count')).toBe('1');
});

test('a page that the last click has closed is not waited for', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  await page.goto(site.url);
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void open('/')`)]);
  await popup.waitForLoadState();
  await popup.evaluate(`document.querySelector('button').addEventListener('mousedown', () => window.close())`);
  const click = await preparedClick(popup);
  click();
  await popup.waitForEvent('close');

  expect(await browsers.openRelay({ sessionId: 's', epoch: 2 })).toMatchObject({ epoch: 2 });
});

test('an epoch that is not newer is refused; the open one gets its access again', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 3, headless: true });

  await expect(browsers.openRelay({ sessionId: 's', epoch: 2 })).rejects.toMatchObject({ status: 409 });
  expect(await browsers.openRelay({ sessionId: 's', epoch: 3 })).toEqual(access);
  expect(await browsers.open({ sessionId: 's', epoch: 3, headless: true })).toEqual(access);
});

test('of two epochs requested at once only the newer one stays open', async () => {
  const browsers = await keeperOver(aRoot());
  await browsers.open({ sessionId: 's', epoch: 1, headless: true });

  const [newer, older] = await Promise.allSettled([
    browsers.openRelay({ sessionId: 's', epoch: 3 }),
    browsers.openRelay({ sessionId: 's', epoch: 2 }),
  ]);

  expect([newer.status, older.status]).toEqual(['fulfilled', 'rejected']);
  expect(browsers.list()).toMatchObject([{ sessionId: 's', epoch: 3 }]);
});

test('counts the workers that are attached', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser } = await attach(access);
  expect(browsers.list()).toMatchObject([{ attachedWorkers: 1 }]);

  await browser.close();
  await until('no worker is attached', () => browsers.list()[0]?.attachedWorkers === 0);
});
