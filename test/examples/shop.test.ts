import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createShop, type Shop } from '../../examples/shop/app';
import { startShop, type RunningShop } from '../../examples/shop/serve';
import { createVisitor, postJson, type Fetch } from './shop-visitor';

describe('the demo shop', () => {
  let shop: Shop;
  let ada: ReturnType<typeof createVisitor>;
  const fetchApp: Fetch = (path, init) => shop.app.request(path, init);

  beforeEach(() => {
    shop = createShop({ searchDelayMs: 1 });
    ada = createVisitor(fetchApp);
  });

  describe('sign-in', () => {
    it('leads a stranger to the sign-in page and from there back', async () => {
      expect((await ada.get('/search?q=hat')).headers.get('location')).toBe('/login?next=%2Fsearch%3Fq%3Dhat');
      const signedIn = await ada.post('/login', { username: 'ada', password: 'lovelace', next: '/search?q=hat' });
      expect(signedIn.headers.get('location')).toBe('/search?q=hat');
      expect((await ada.get('/search?q=hat')).status).toBe(200);
    });

    it('says when name or password is wrong', async () => {
      const refused = await ada.post('/login', { username: 'ada', password: 'byron' });
      expect(refused.status).toBe(401);
      expect(await refused.text()).toMatch(/role="alert">\s*Wrong user name or password/);
      expect((await ada.get('/')).status).toBe(303);
    });

    it('never leads to another site', async () => {
      for (const next of ['https://example.com', '//example.com', '/\\example.com']) {
        const signedIn = await ada.post('/login', { username: 'ada', password: 'lovelace', next });
        expect(signedIn.headers.get('location')).toBe('/');
      }
    });

    it('keeps a random id in a cookie that scripts cannot read', async () => {
      const cookie = (await ada.get('/login')).headers.get('set-cookie');
      expect(cookie).toMatch(/^shop_session=[0-9a-f-]{36};/);
      expect(cookie).toContain('HttpOnly');
    });

    it('ends with signing out', async () => {
      await ada.signIn();
      await ada.post('/logout', {});
      expect((await ada.get('/')).headers.get('location')).toBe('/login');
    });
  });

  describe('shopping', () => {
    beforeEach(() => ada.signIn());

    it('shows a search page first and its results later', async () => {
      expect(await ada.text('/search?q=trail')).toContain('Loading…');
      const results = await ada.text('/search/results?q=trail');
      expect([...results.matchAll(/href="\/products\/([^"]+)"/g)].map(([, slug]) => slug)).toEqual([
        'trail-shoe',
        'trail-socks',
        'trail-gloves',
      ]);
    });

    it('escapes what was searched for', async () => {
      expect(await ada.text('/search/results?q=%3Cb%3E')).toContain('&lt;b&gt;');
    });

    it('adds to the cart and removes one line of equal ones', async () => {
      const added = await ada.post('/cart', { slug: 'wool-hat', size: 'S', quantity: '1' });
      expect(added.headers.get('location')).toBe('/cart?added=wool-hat');
      await ada.post('/cart', { slug: 'wool-hat', size: 'S', quantity: '1' });
      const cart = await ada.text('/cart?added=wool-hat');
      expect(cart).toContain('Added to cart: Wool Hat');
      const lines = [...cart.matchAll(/name="line" value="([^"]+)"/g)].map(([, id]) => id);
      expect(lines).toHaveLength(2);
      await ada.post('/cart/remove', { line: lines[0] ?? '' });
      expect(await ada.text('/cart')).toContain(lines[1]);
      expect(await ada.text('/cart')).not.toContain(lines[0]);
    });

    it('refuses a quantity that the form does not offer', async () => {
      expect((await ada.post('/cart', { slug: 'wool-hat', size: 'S', quantity: '0' })).status).toBe(422);
    });

    it('names what is missing in a checkout and keeps what was typed', async () => {
      const form = await ada.fillCart();
      const refused = await ada.post('/orders', { nonce: form['nonce'] ?? '', fullName: 'Ada', cardNumber: '12' });
      const page = await refused.text();
      expect(refused.status).toBe(422);
      for (const message of ['Enter your address', '12 to 19 digits', 'Accept the terms'])
        expect(page).toContain(message);
      expect(page).not.toContain('Enter your full name');
      expect(page).toContain('value="Ada"');
      expect(shop.orders.list()).toEqual([]);
    });

    it('places an order and shows its number', async () => {
      await ada.get('/?run=first');
      const placed = await ada.post('/orders', await ada.fillCart());
      expect(placed.headers.get('location')).toBe('/orders/SF-1001');
      const page = await ada.text('/orders/SF-1001');
      expect(page).toContain('<h1>Thank you</h1>');
      expect(page).toMatch(/<strong id="order-number" aria-label="Order number"\s*>SF-1001<\/strong\s*>/);
      expect(shop.orders.list()).toMatchObject([
        { number: 'SF-1001', user: 'ada', run: 'first', total: 187, items: [{ slug: 'trail-shoe', quantity: 2 }] },
      ]);
      expect(await ada.text('/checkout')).toContain('Your cart is empty');
      expect(await ada.text('/orders')).toContain('SF-1001');
    });

    it('writes down a double submit as two orders with one nonce', async () => {
      const form = await ada.fillCart();
      await ada.post('/orders', form);
      await ada.post('/orders', form);
      const orders = shop.orders.list();
      expect(orders).toHaveLength(2);
      expect(orders[1]).toMatchObject({ nonce: form['nonce'], items: orders[0]?.items, total: 187 });
    });

    it('answers a repeat with the same idempotency key with the first order', async () => {
      const form = await ada.fillCart();
      for (let time = 0; time < 2; time += 1) {
        const placed = await ada.post('/orders', form, { 'Idempotency-Key': 'once' });
        expect(placed.headers.get('location')).toBe('/orders/SF-1001');
      }
      expect(shop.orders.list()).toHaveLength(1);
    });
  });

  describe('the admin door', () => {
    it('counts orders of one run and of all', async () => {
      for (const run of ['one', 'two']) {
        const visitor = createVisitor(fetchApp);
        await visitor.get(`/login?run=${run}`);
        await visitor.signIn();
        await visitor.post('/orders', await visitor.fillCart());
      }
      expect(await (await fetchApp('/admin/orders')).json()).toMatchObject({ count: 2 });
      expect(await (await fetchApp('/admin/orders?run=two')).json()).toMatchObject({
        count: 1,
        orders: [{ run: 'two' }],
      });
    });

    it('forgets everything on a reset', async () => {
      await ada.signIn();
      await ada.post('/orders', await ada.fillCart());
      await ada.post('/parts/counter', {});
      await postJson(fetchApp, '/admin/faults', { kind: 'error' });
      await fetchApp('/admin/reset', { method: 'POST' });
      expect(await (await fetchApp('/admin/orders')).json()).toEqual({ count: 0, orders: [] });
      expect(await (await fetchApp('/admin/counter')).json()).toEqual({ count: 0, commits: [] });
      expect(await (await fetchApp('/admin/faults')).json()).toEqual({ faults: [], repeats: 0 });
      expect((await ada.get('/')).headers.get('location')).toBe('/login');
    });

    it('answers with an error as often as asked, only for that path, method and run', async () => {
      await ada.get('/parts?run=mine');
      const other = createVisitor(fetchApp);
      const fault = { kind: 'error', path: '/parts/*', method: 'GET', run: 'mine', times: 2 };
      expect((await postJson(fetchApp, '/admin/faults', fault)).status).toBe(201);
      expect((await other.get('/parts/keys')).status).toBe(200);
      expect((await ada.get('/login')).status).toBe(200);
      expect((await ada.post('/parts/counter', {})).status).toBe(303);
      expect((await ada.get('/parts/keys')).status).toBe(500);
      expect((await ada.get('/parts/late')).status).toBe(500);
      expect((await ada.get('/parts/late')).status).toBe(200);
    });

    it('answers slowly when asked to', async () => {
      await postJson(fetchApp, '/admin/faults', { kind: 'slow', path: '/login', delayMs: 60 });
      const started = performance.now();
      expect((await ada.get('/login')).status).toBe(200);
      expect(performance.now() - started).toBeGreaterThan(50);
    });

    it('takes an order and answers with an error all the same', async () => {
      await ada.signIn();
      await ada.get('/?run=error-after');
      const form = await ada.fillCart();
      await postJson(fetchApp, '/admin/faults', { kind: 'error-after', path: '/orders', run: 'error-after' });
      expect((await ada.post('/orders', form)).status).toBe(500);
      expect(shop.orders.list()).toMatchObject([{ run: 'error-after' }]);
    });

    it('refuses a fault that it does not know', async () => {
      expect((await postJson(fetchApp, '/admin/faults', { kind: 'explode' })).status).toBe(400);
      expect((await fetchApp('/admin/faults', { method: 'POST', body: 'x' })).status).toBe(400);
    });
  });

  describe('the parts', () => {
    it('opens every page of the index without a sign-in, never stored', async () => {
      const links = [...(await ada.text('/parts')).matchAll(/href="(\/parts\/[^"]+)"/g)].map(([, link]) => link ?? '');
      expect(links.length).toBeGreaterThan(13);
      for (const link of links) {
        const page = await ada.get(link);
        expect([link, page.status, page.headers.get('cache-control')]).toEqual([link, 200, 'no-store']);
        expect(await page.text()).not.toContain('<!-- piece');
      }
    });

    it('has a thousand rows with two buttons each', async () => {
      expect((await ada.text('/parts/table')).match(/<button/g)).toHaveLength(2000);
    });

    it('counts presses on the server', async () => {
      await ada.get('/parts/counter?run=mine');
      await ada.post('/parts/counter', {});
      await createVisitor(fetchApp).post('/parts/counter', {});
      expect(await ada.text('/parts/counter')).toMatch(/aria-label="Count"\s*>1</);
      expect(await (await fetchApp('/admin/counter')).json()).toMatchObject({ count: 2 });
    });

    it('shows name and size of an uploaded file', async () => {
      const body = new FormData();
      body.set('file', new File(['hello'], 'hello.txt'));
      const answer = await fetchApp('/parts/upload', { method: 'POST', body });
      expect(await answer.text()).toContain('Received hello.txt (5 bytes)');
    });

    it('hands out a report as a download', async () => {
      const report = await ada.get('/parts/report.csv');
      expect(report.headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
      expect(await report.text()).toContain('Trail Shoe,12');
    });

    it('has no icon and needs no other site', async () => {
      expect((await ada.get('/favicon.ico')).status).toBe(204);
      expect((await ada.get('/shop.css')).headers.get('content-type')).toContain('text/css');
      expect(await ada.text('/parts/form')).not.toMatch(/(src|href)="https?:/);
    });
  });
});

describe('the demo shop on a socket', () => {
  let shop: RunningShop;
  let ada: ReturnType<typeof createVisitor>;
  const fetchShop: Fetch = (path, init) => fetch(shop.url + path, init);

  beforeEach(async () => {
    shop = await startShop({ searchDelayMs: 1 });
    ada = createVisitor(fetchShop);
    await ada.signIn();
  });
  afterEach(() => shop.close());

  it('cuts the connection before the order is placed', async () => {
    const form = await ada.fillCart();
    await postJson(fetchShop, '/admin/faults', { kind: 'drop', path: '/orders', method: 'POST', downMs: 0 });
    await expect(ada.post('/orders', form)).rejects.toThrow('fetch failed');
    expect(shop.orders.list()).toEqual([]);
    expect((await ada.post('/orders', form)).status).toBe(303);
  });

  it('cuts the connection after the order is placed', async () => {
    const form = await ada.fillCart();
    await postJson(fetchShop, '/admin/faults', { kind: 'drop-after', path: '/orders', method: 'POST' });
    await expect(ada.post('/orders', form)).rejects.toThrow('fetch failed');
    expect(shop.orders.list()).toHaveLength(1);
  });

  it('keeps the line down for the repeat that a browser sends by itself, and for nothing else', async () => {
    const form = await ada.fillCart();
    await postJson(fetchShop, '/admin/faults', { kind: 'drop-after', path: '/orders', method: 'POST', downMs: 60_000 });
    await expect(ada.post('/orders', form)).rejects.toThrow('fetch failed');
    await expect(ada.post('/orders', form)).rejects.toThrow('fetch failed');
    expect(await (await fetchShop('/admin/faults')).json()).toEqual({ faults: [], repeats: 1 });
    expect(await ada.text('/orders')).toContain('SF-1001');
    expect(shop.orders.list()).toHaveLength(1);
  });

  it('takes a free port when the one asked for is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const other = await startShop({ port });
    expect(other.port).not.toBe(port);
    expect((await fetch(`${other.url}/login`)).status).toBe(200);
    await other.close();
    taken.close();
  });
});
