import { aRoot, aSite, attach, aWorkerProcess, cleanUp, keeperOver, until } from '../fixture';

afterEach(cleanUp);

test('text that a killed worker had half typed is still there for the next epoch', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const first = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = await aWorkerProcess(first.endpoint);
  expect(await worker.run(`await page.goto('${site.url}'); await page.fill('#name', 'Ada Lov')`)).toBe('done');
  worker.process.kill('SIGKILL');

  const second = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  const { page } = await attach(second.endpoint);

  expect(await page.inputValue('#name')).toBe('Ada Lov');
  expect({ ...first, endpoint: '' }).toEqual({ ...second, endpoint: '', epoch: 1, isNew: true });
});

test('a newer epoch cuts off the older one: its click fails, nothing is counted, its port refuses', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const old = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const stale = await attach(old.endpoint);
  await stale.page.goto(site.url);
  await stale.page.click('button');

  const { endpoint } = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  await expect(stale.page.click('button', { timeout: 3000 })).rejects.toThrow(/closed/);
  await expect(attach(old.endpoint)).rejects.toThrow(/ECONNREFUSED/);

  const { page } = await attach(endpoint);
  expect(await page.textContent('#count')).toBe('1');
});

test('a worker that was frozen while it was replaced can do nothing when it wakes', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const { endpoint } = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = await aWorkerProcess(endpoint);
  await worker.run(`await page.goto('${site.url}')`);
  worker.process.kill('SIGSTOP');
  const woken = worker.run(`await page.click('button', { timeout: 3000 })`);

  const next = await attach((await browsers.openRelay({ sessionId: 's', epoch: 2 })).endpoint);
  worker.process.kill('SIGCONT');

  expect(await woken).toMatch(/closed/);
  expect(await next.page.textContent('#count')).toBe('0');
});

test('an epoch that is not newer is refused; the open one gets its endpoint again', async () => {
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
  const { endpoint } = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser } = await attach(endpoint);
  expect(browsers.list()).toMatchObject([{ attachedWorkers: 1 }]);

  await browser.close();
  await until('no worker is attached', () => browsers.list()[0]?.attachedWorkers === 0);
});
