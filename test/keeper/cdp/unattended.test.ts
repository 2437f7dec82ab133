import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { aRoot, aSite, attach, aWorkerProcess, cleanUp, headersFor, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

async function aSessionOn(path = '/') {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser, page } = await attach(access);
  await page.goto(site.url + path);
  const evidence = () => browsers.evidence({ sessionId: 's' });
  /** What waits in the page for `/go` happens with nobody attached. */
  const leave = async () => {
    await browser.close();
    await until('nobody is attached', () => browsers.list()[0]?.attachedWorkers === 0);
    site.letGo();
  };
  const next = async () => attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  return { browsers, site, access, browser, page, evidence, leave, next };
}

test('answers and records a dialog that opens while nobody is attached, and the next attach is quick', async () => {
  const { page, evidence, leave, next } = await aSessionOn();
  await page.evaluate(() => void fetch('/go').then(() => (document.title = String(confirm('Delete everything?')))));
  await leave();

  const [dialog] = await until('the dialog was answered', () => {
    const { dialogs } = evidence();
    return dialogs.length > 0 && dialogs;
  });
  expect(dialog).toMatchObject({
    type: 'confirm',
    message: 'Delete everything?',
    answeredBy: 'keeper',
    accepted: false,
  });

  const again = await next();
  expect(await again.page.title()).toBe('false');
});

test('answers a dialog that a killed worker left open before the next one comes in', async () => {
  const { browsers, browser, evidence } = await aSessionOn();
  await browser.close();
  const worker = await aWorkerProcess(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  const line = await worker.run(`
    page.on('dialog', () => console.log('open'));
    await page.evaluate(() => { document.title = String(prompt('Name?')); });
  `);
  expect([line, evidence().dialogs]).toEqual(['open', []]);
  worker.process.kill('SIGKILL');

  const again = await attach(await browsers.openRelay({ sessionId: 's', epoch: 3 }));
  expect(evidence().dialogs).toMatchObject([
    { type: 'prompt', message: 'Name?', answeredBy: 'keeper', accepted: false },
  ]);
  expect(await again.page.title()).toBe('null');
});

test('answers a dialog that opens while a worker attaches: it blocks that worker, which gets no event', async () => {
  const { browsers, browser, evidence, page, site } = await aSessionOn();
  await page.evaluate(() => void fetch('/go').then(() => (document.title = String(confirm('Sure?')))));
  await browser.close();
  // As far as a worker comes before it has asked Chrome for anything.
  const access = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  const attaching = new WebSocket(access.endpoint, { headers: headersFor(access) });
  later(() => attaching.close());
  await until('it is attached', () => browsers.list()[0]?.attachedWorkers === 1 && attaching.readyState === 1);
  site.letGo();
  await until('the dialog is answered', () => evidence().dialogs.length === 1);
  expect(evidence().dialogs).toMatchObject([{ message: 'Sure?', answeredBy: 'keeper', accepted: false }]);
});

test('leaves dialogs to an attached worker', async () => {
  const { page, evidence } = await aSessionOn();
  page.on('dialog', (dialog) => void dialog.accept());

  expect(await page.evaluate(() => confirm('Sure?'))).toBe(true);
  await until('the dialog is recorded', () => evidence().dialogs.length === 1);
  expect(evidence().dialogs).toMatchObject([{ message: 'Sure?', answeredBy: 'worker', accepted: true }]);
});

test('knows how a request ended that was sent while nobody was attached', async () => {
  const { site, page, evidence, leave, next } = await aSessionOn();
  const since = new Date().toISOString();
  await page.evaluate(() => void fetch('/go').then(() => fetch('/orders', { method: 'POST', body: 'secret=1' })));
  await leave();

  await until('the order arrived', () => site.orders() === 1);
  await next();
  const { requests } = await until('the order is recorded', () => {
    const all = evidence();
    return all.requests.some(({ method, status }) => method === 'POST' && status !== undefined) && all;
  });
  const order = requests.find(({ method }) => method === 'POST');
  expect(order).toEqual({
    at: expect.stringMatching(/Z$/) as string,
    method: 'POST',
    url: `${site.url}/orders`,
    resourceType: 'Fetch',
    status: 200,
  });
  expect(Date.parse(order?.at ?? '')).toBeGreaterThan(Date.parse(since));
});

test('records a redirected form as two requests, and one without a response with the reason', async () => {
  const { browsers, site, page, evidence } = await aSessionOn();
  await page.setContent(`<form method="post" action="${site.url}/moved"><button>send</button></form>`);
  await page.click('button');
  await page.waitForURL(`${site.url}/`);
  await page.evaluate(() => fetch('http://127.0.0.1:9/', { method: 'POST', mode: 'no-cors' }).catch(() => undefined));

  const { requests } = await until('all requests have ended', () => {
    const all = evidence();
    return all.requests.every(({ status, failure }) => status ?? failure) && all.requests.length >= 4 && all;
  });
  expect(requests.map(({ method, url, status, failure }) => [method, url, status, failure])).toEqual([
    ['GET', `${site.url}/`, 200, undefined],
    ['POST', `${site.url}/moved`, 303, undefined],
    ['GET', `${site.url}/`, 200, undefined],
    ['POST', 'http://127.0.0.1:9/', undefined, expect.stringMatching(/^net::ERR_/)],
  ]);
  const later = new Date(Date.now() + 1000).toISOString();
  expect(browsers.evidence({ sessionId: 's', since: later })).toMatchObject({ dialogs: [], requests: [], gaps: [] });
});

test('records the response of a server even where the page may not read it', async () => {
  const { page, evidence } = await aSessionOn();
  const other = await aSite();
  await page.evaluate((url) => fetch(url, { method: 'POST' }).catch(() => undefined), `${other.url}/orders`);

  const order = await until('the order has its status', () =>
    evidence().requests.find(({ url, status }) => url === `${other.url}/orders` && status !== undefined),
  );
  expect(order).toMatchObject({ method: 'POST', status: 200 });
});

test('keeps only the newest 500 requests', async () => {
  const { page, evidence } = await aSessionOn();
  await page.evaluate(async () => {
    await Promise.all(Array.from({ length: 519 }, (_, n) => fetch(`/orders?n=${n}`, { method: 'POST' })));
    await fetch('/orders?n=519', { method: 'POST' });
  });
  const { requests } = await until('the last request is recorded', () => {
    const all = evidence();
    return all.requests.at(-1)?.url.endsWith('n=519') && all;
  });
  expect(requests).toHaveLength(500);
});

test('saves downloads in the folder of the browser, with or without a worker', async () => {
  const { access, page, leave } = await aSessionOn('/file');
  await page.click('a');
  const file = join(access.downloads, 'report.txt');
  await until('the first download is there', () => existsSync(file));
  await page.evaluate(() => void fetch('/go').then(() => document.querySelector('a')?.click()));
  await leave();

  const second = join(access.downloads, 'report (1).txt');
  await until('the second download is there', () => existsSync(second) && readFileSync(second, 'utf8') !== '');
  expect(readFileSync(second, 'utf8')).toBe('the report');
});
