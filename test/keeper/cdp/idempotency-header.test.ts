import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import type { Browsers } from '../../../worker/keeper/browsers/browsers';
import { aRoot, attach, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

interface Arrived {
  method: string;
  path: string;
  key: string | undefined;
}

const PAGE = `<title>Form</title><form method="post" action="/form"><button>send</button></form>
  <form method="post" action="/tab" target="_blank"><button>open</button></form>`;

/** A site that notes which key each request had; `?to=` redirects there as it is. */
async function aSite() {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const key = request.headers['idempotency-key'] as string | undefined;
    if (url.pathname !== '/favicon.ico') arrived.push({ method: request.method ?? '', path: url.pathname, key });
    const to = url.searchParams.get('to');
    if (to !== null) return response.writeHead(307, { location: to }).end();
    if (url.pathname === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      return response.end(`fetch('/from-worker', { method: 'POST' }).then(() => postMessage('sent'))`);
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const posts = () => arrived.filter(({ method }) => method !== 'GET').map(({ path, key }) => [path, key]);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived, posts };
}

async function aSession(root = aRoot()) {
  const [browsers, site, other] = [await keeperOver(root), await aSite(), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  await page.goto(site.url);
  return { root, browsers, site, other, page };
}

const begin = async (browsers: Browsers, origin: string, value = 'K1', epoch = 1) =>
  browsers.setIdempotencyHeader({
    sessionId: 's',
    epoch,
    key: { header: 'Idempotency-Key', value, origins: [origin] },
  });
const end = async (browsers: Browsers, epoch = 1) =>
  browsers.setIdempotencyHeader({ sessionId: 's', epoch, key: undefined });
const post = async (page: Page, url: string) =>
  page.evaluate((to) => fetch(to, { method: 'POST', body: 'a=b' }).catch(() => undefined), url);

test('requests that change something carry the key while a commit is under way, and only then', async () => {
  const { browsers, site, page } = await aSession();
  await post(page, '/before');
  await begin(browsers, site.url);
  await post(page, '/during');
  await page.evaluate(() => fetch('/look'));
  await page.evaluate(() => navigator.sendBeacon('/beacon', 'x'));
  await until('the beacon arrived', () => site.posts().length === 3);
  await page.click('text=send');
  await page.waitForURL('**/form');
  await end(browsers);
  await post(page, '/after');
  expect(site.posts()).toEqual([
    ['/before', undefined],
    ['/during', 'K1'],
    ['/beacon', 'K1'],
    ['/form', 'K1'],
    ['/after', undefined],
  ]);
  expect(site.arrived.filter(({ method, key }) => method === 'GET' && key !== undefined)).toEqual([]);
});

test('no other origin gets the key: not by a request, not by a redirect, not by a script of another site', async () => {
  const { browsers, site, other, page } = await aSession();
  await begin(browsers, site.url);
  await post(page, `${other.url}/cross`);
  await post(page, `/moved?to=${encodeURIComponent(`${other.url}/moved-to`)}`);
  await page.evaluate((url) => {
    document.forms[0]!.action = `/sent?to=${encodeURIComponent(`${url}/sent-to`)}`;
    document.forms[0]!.submit();
  }, other.url);
  await page.waitForURL('**/sent-to');
  expect(other.posts()).toEqual([
    ['/cross', undefined],
    ['/moved-to', undefined],
    ['/sent-to', undefined],
  ]);
  await page.goto(other.url);
  await post(page, `${site.url}/from-a-foreign-script`);
  await page.evaluate((url) => {
    document.forms[0]!.action = `${url}/from-a-foreign-form`;
    document.forms[0]!.submit();
  }, site.url);
  await page.waitForURL('**/from-a-foreign-form');
  expect(site.posts()).toEqual([
    ['/moved', 'K1'],
    ['/sent', 'K1'],
    ['/from-a-foreign-script', undefined],
    ['/from-a-foreign-form', 'K1'],
  ]);
});

test('redirects within the origin, new tabs and workers of the page carry it; a key of the site stays', async () => {
  const { browsers, site, page } = await aSession();
  await begin(browsers, site.url);
  await post(page, '/moved?to=/moved-to');
  const tab = page.context().waitForEvent('page');
  await page.click('text=open');
  await (await tab).waitForURL('**/tab');
  await page.evaluate(() => new Promise<void>((resolve) => (new Worker('/worker.js').onmessage = () => resolve())));
  await page.evaluate(() => fetch('/own', { method: 'POST', headers: { 'idempotency-key': 'its own' } }));
  expect(site.posts()).toEqual([
    ['/moved', 'K1'],
    ['/moved-to', 'K1'],
    ['/tab', 'K1'],
    ['/from-worker', 'K1'],
    ['/own', 'its own'],
  ]);
});

test('only the lease holder sets and removes the key, and a takeover keeps it', async () => {
  const { browsers, site } = await aSession();
  await begin(browsers, site.url);
  const access = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  await expect(end(browsers, 1)).rejects.toMatchObject({ status: 409 });
  const next = await attach(access);
  await post(next.page, '/late');
  await end(browsers, 2);
  await post(next.page, '/after');
  expect(site.posts()).toEqual([
    ['/late', 'K1'],
    ['/after', undefined],
  ]);
});

test('when the keeper ends, paused requests continue without the key, and its successor restores it', async () => {
  const { root, browsers, site, page } = await aSession();
  await begin(browsers, site.url);
  await page.evaluate(() => {
    let sent = 0;
    const again = () => void fetch(`/n${(sent += 1)}`, { method: 'POST' }).then(() => setTimeout(again, 5), again);
    again();
  });
  await until('some carried it', () => site.posts().length > 3);
  await browsers.stop({ endBrowsers: false });
  const sent = site.posts().length;
  await until('requests go on', () => site.posts().length > sent + 10);
  expect(site.posts().at(-1)?.[1]).toBeUndefined();

  const second = await keeperOver(root);
  const adopted = site.posts().length;
  await until('requests carry it again', () =>
    site
      .posts()
      .slice(adopted)
      .some(([, key]) => key === 'K1'),
  );
  await second.openRelay({ sessionId: 's', epoch: 2 });
  await end(second, 2);
  const ended = site.posts().length;
  await until('requests go on', () => site.posts().length > ended + 10);
  expect(site.posts().at(-1)?.[1]).toBeUndefined();
});
