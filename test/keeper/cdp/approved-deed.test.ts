/** What a person has approved is what leaves: whatever a page does with the click, another amount is not sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import type { ApprovedDeed } from '../../../contracts/browsers/approved-request';
import type { Browsers } from '../../../worker/keeper/browsers/browsers';
import { everyNth, IS_LONG_RUN } from '../../support/long-run';
import { aRoot, attach, cleanUp, keeperOver, later, until } from '../fixture';

afterEach(cleanUp);

/** The page's own functions. */
interface Home {
  post(url: string, body: string): void;
  act(way: string, amount: string): void;
  ways: string[];
}

interface Arrived {
  method: string;
  url: string;
  body: string;
}

/** A form for 10, and what its page does in other ways; `act(way, amount)` sets what a click on the button does. */
const PAGE = `<!doctype html><title>Shop</title><form method=post action=/pay><input type=hidden name=amount value=10>
  <input name=purpose value=beans><button>Pay</button></form>
  <form id=other method=post action=/pay><input name=amount></form>
  <script>
    const form = document.forms[0];
    const json = (amount) => JSON.stringify({ amount, purpose: 'beans' });
    const post = (url, body, more = {}) => fetch(url, { method: 'POST', body, ...more }).catch(() => undefined);
    const instead = (send) => (amount) => form.addEventListener('submit', (event) => { event.preventDefault(); send(amount); });
    const ways = {
      'the press of the mouse': (amount) => addEventListener('mousedown', () => { form.amount.value = amount; }, true),
      'the release of the mouse': (amount) => addEventListener('mouseup', () => { form.amount.value = amount; }, true),
      'the click': (amount) => addEventListener('click', () => { form.amount.value = amount; }, true),
      'a listener of submit': (amount) => addEventListener('submit', () => { form.amount.value = amount; }),
      'a listener of formdata': (amount) => addEventListener('formdata', ({ formData }) => formData.set('amount', amount)),
      'a second value of the form': (amount) => addEventListener('formdata', ({ formData }) => formData.append('amount', amount)),
      'another name': (amount) => addEventListener('formdata', ({ formData }) => formData.append('total', amount)),
      'a form in a new tab': (amount) => addEventListener('submit', () => { form.target = '_blank'; form.amount.value = amount; }),
      'a form of parts': (amount) => addEventListener('submit', () => { form.enctype = 'multipart/form-data'; form.amount.value = amount; }),
      'a form of plain text': (amount) => addEventListener('submit', () => { form.enctype = 'text/plain'; form.amount.value = amount; }),
      'a form with GET': (amount) => addEventListener('submit', () => { form.method = 'get'; form.amount.value = amount; }),
      'another form': instead((amount) => { other.amount.value = amount; other.submit(); }),
      'another address': (amount) => addEventListener('submit', () => { form.action = '/pay/' + amount; }),
      'a request with JSON': instead((amount) => post('/api', json(amount), { headers: { 'content-type': 'application/json' } })),
      'a request with a number': instead((amount) => post('/api', json(Number(amount)))),
      'a nested document': instead((amount) => post('/api', JSON.stringify({ order: { lines: [{ sum: { value: amount } }] } }))),
      'a request with an address': instead((amount) => post('/api?sum=' + amount)),
      'a request with a path': instead((amount) => post('/api/' + amount + '/pay')),
      'a request of a form': instead((amount) => post('/api', new URLSearchParams({ sum: amount }))),
      'a request of parts': instead((amount) => { const data = new FormData(form); data.set('amount', amount); post('/api', data); }),
      'a request of bytes': instead((amount) => post('/api', new Blob([json(amount)]))),
      'GraphQL': instead((amount) => post('/graphql', JSON.stringify({ query: 'mutation Pay($sum: Int) { pay(sum: $sum) }', variables: { sum: Number(amount) } }))),
      'a literal of GraphQL': instead((amount) => post('/graphql', JSON.stringify({ query: 'mutation { pay(sum: ' + amount + ') }', variables: {} }))),
      'a document of too many values': instead((amount) => post('/api', JSON.stringify({ padding: Array(2100).fill(0), amount }))),
      'PUT': instead((amount) => fetch('/api', { method: 'PUT', body: json(amount) }).catch(() => undefined)),
      'a beacon': instead((amount) => navigator.sendBeacon('/api', json(amount))),
      'a request that outlives its page': instead((amount) => post('/api', json(amount), { keepalive: true })),
      'XMLHttpRequest': instead((amount) => { const request = new XMLHttpRequest(); request.open('POST', '/api'); request.send(json(amount)); }),
      'a worker': instead((amount) => new Worker(URL.createObjectURL(new Blob(['fetch("' + origin + '/api", { method: "POST", body: "' + amount + '" }).catch(() => undefined)'])))),
      'a frame': instead((amount) => { const frame = document.createElement('iframe'); document.body.append(frame);
        frame.contentWindow.fetch('/api', { method: 'POST', body: json(amount) }).catch(() => undefined); }),
      'a text': instead((amount) => post('/api', 'Pay ' + amount + ' EUR for beans')),
    };
    globalThis.act = (way, amount) => ways[way](amount);
    globalThis.ways = Object.keys(ways);
    globalThis.post = post;
  </script>`;

async function aShop() {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      arrived.push({ method: request.method ?? '', url: request.url ?? '', body });
      response.writeHead(200, { 'content-type': 'text/html' }).end(request.method === 'GET' ? PAGE : 'ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const posts = () => arrived.filter(({ method }) => method !== 'GET').map(({ url: path, body }) => `${path} ${body}`);
  return { url, arrived, posts };
}

async function aSession(root = aRoot()) {
  const [browsers, shop] = [await keeperOver(root), await aShop()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  await page.goto(shop.url);
  return { browsers, shop, page };
}

const set = (browsers: Browsers, deed: ApprovedDeed | undefined) =>
  browsers.setDeed({ sessionId: 's', epoch: 1, deed });

function payTen(url: string, more: Partial<ApprovedDeed> = {}): ApprovedDeed {
  const entries: [string, string][] = [
    ['amount', '10'],
    ['purpose', 'beans'],
  ];
  const shown = ['Pay', 'Shop', url];
  return {
    commandId: 'c',
    submits: { method: 'POST', url: `${url}/pay` },
    entries,
    nonces: [],
    fields: entries,
    shown,
    ...more,
  };
}

/** Once what the page does by itself has been decided on: requests of one page are paused in their order. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/look').then((answer) => answer.text())).catch(() => undefined);
}

/** What else the page sends, and the amounts that it makes of 10. */
const BESIDE = [
  ['900', 'nothing'],
  ['11', 'nothing'],
  ['10.5', 'nothing'],
  ['900', 'a report'],
  ['11', 'a report'],
  ['900', 'a report that it made before'],
  ['100', 'a report that it made before'],
] as const;
const PART = 3;
const variants: string[] = [];
let seed = 33;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

test.each(BESIDE)(
  'whatever a page does with an approved click, 10 is not sent as another amount: %s, beside %s',
  async (amount, decoy) => {
    const { browsers, shop, page } = await aSession();
    const ways = await page.evaluate(() => (globalThis as unknown as Home).ways);
    const through: string[] = [];
    const unnoticed: string[] = [];
    for (const way of everyNth(
      PART,
      ways,
      BESIDE.findIndex(([sum, beside]) => sum === amount && beside === decoy),
    )) {
      const sum = amount === '900' ? String(900 + random(90_000)) : amount;
      variants.push(`${way}: ${sum}`);
      await page.goto(shop.url);
      await page.evaluate(
        ([kind, name, each]) => {
          const home = globalThis as unknown as Home;
          if (kind === 'a report that it made before') home.post('/report', '{"kind":"seen"}');
          if (kind !== 'nothing') addEventListener('click', () => home.post('/report', '{"kind":"click"}'), true);
          home.act(name, each);
        },
        [decoy, way, sum] as const,
      );
      await settled(page);
      shop.arrived.length = 0;
      await set(browsers, payTen(shop.url));
      await page.click('button');
      const refused = async () => (await set(browsers, payTen(shop.url)))?.refused;
      const found = await until(`${way} is refused`, refused, 4000).catch(() => undefined);
      if (found === undefined) unnoticed.push(`${way}: ${sum}`);
      await set(browsers, undefined);
      if (page.context().pages().length > 1) await page.context().pages()[1]!.close();
      if (shop.arrived.some(({ url, body }) => `${url} ${body}`.includes(sum))) through.push(`${way}: ${sum}`);
    }
    expect({ through, unnoticed }).toEqual({ through: [], unnoticed: [] });
  },
);

/** The suite takes a third of the ways with each, and so all of them. */
test('there were more variants than are claimed', () => {
  expect(variants.length).toBeGreaterThanOrEqual(IS_LONG_RUN ? 200 : 66);
});

test('what was approved leaves at once: by the form, in parts, and by a script that sends what was shown', async () => {
  const { browsers, shop, page } = await aSession();
  for (const way of [
    'the click',
    'a form of parts',
    'a request with JSON',
    'a request with a number',
    'a beacon',
    'GraphQL',
    'a text',
  ]) {
    await page.goto(shop.url);
    await page.evaluate((each) => (globalThis as unknown as Home).act(each, '10'), way);
    shop.arrived.length = 0;
    await set(browsers, payTen(shop.url));
    await page.click('button');
    await until(`${way} arrives`, () => shop.posts().length === 1);
    expect(await set(browsers, undefined)).toEqual({ commandId: 'c', sent: 1 });
  }
});

test('what a page sends by habit waits until the deed is over, and is not lost', async () => {
  const { browsers, shop, page } = await aSession();
  const report = (count: number) =>
    page.evaluate((each) => {
      (globalThis as unknown as Home).post('/report', `{"n":${each}}`);
    }, count);
  await report(1);
  await until('the first report arrives', () => shop.posts().length === 1);
  await set(browsers, payTen(shop.url));
  await report(4711);
  await settled(page);
  expect(shop.posts()).toHaveLength(1);
  await set(browsers, undefined);
  await until('the report arrives', () => shop.posts().includes('/report {"n":4711}'));
});

test('a request that was shown to the person leaves, with its own clock and ids, and no other', async () => {
  const { browsers, shop, page } = await aSession();
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  const values: [string, string][] = [
    ['sum', '900'],
    ['at', String(Date.now())],
    ['id', id],
  ];
  const request = { method: 'POST', url: `${shop.url}/api`, values };
  const send = (sum: number) =>
    page.evaluate(
      ([own, each]) => {
        (globalThis as unknown as Home).post('/api', JSON.stringify({ sum: each, at: Date.now(), id: own }));
      },
      ['0f8fad5b-d9cb-469f-a165-70867728950e', sum] as const,
    );
  await set(browsers, payTen(shop.url, { request }));
  await send(901);
  const refused = await until(
    'it is refused',
    async () => (await set(browsers, payTen(shop.url, { request })))?.refused,
  );
  expect(refused.reasons).toEqual(['sum would be “901”, which was not shown.']);
  await send(900);
  await until('it arrives', () => shop.posts().length === 1);
  expect(shop.posts()[0]).toMatch(/^\/api {"sum":900,/);
});

test('a link and a form with GET lead where was shown, and nowhere else', async () => {
  const { browsers, shop, page } = await aSession();
  const go = (path: string) => page.evaluate((to) => void (location.href = to), path);
  const deed = payTen(shop.url, {
    submits: { method: 'GET', url: `${shop.url}/delete?item=7` },
    entries: [],
    fields: [],
  });
  await set(browsers, deed);
  await go('/delete?item=8');
  const refused = await until('it is refused', async () => (await set(browsers, deed))?.refused);
  expect(refused.request.url).toBe(`${shop.url}/delete?item=8`);
  expect(page.url()).toBe(`${shop.url}/`);
  await go('/delete?item=7');
  await until('the link is followed', () => page.url().endsWith('/delete?item=7'));
  expect(shop.arrived.map(({ url }) => url).filter((url) => url.startsWith('/delete'))).toEqual(['/delete?item=7']);
});

test('the idempotency key goes with what was approved', async () => {
  const { browsers, shop, page } = await aSession();
  const key = { header: 'Idempotency-Key', value: 'K1', origins: [shop.url] };
  await browsers.setIdempotencyHeader({ sessionId: 's', epoch: 1, key });
  await set(browsers, payTen(shop.url));
  const [request] = await Promise.all([page.waitForRequest('**/pay'), page.click('button')]);
  await page.waitForURL('**/pay');
  expect(await request.headerValue('content-type')).toContain('urlencoded');
  expect(shop.posts()).toEqual(['/pay amount=10&purpose=beans']);
  await expect(browsers.setDeed({ sessionId: 's', epoch: 2, deed: undefined })).rejects.toThrow(/epoch/);
});
