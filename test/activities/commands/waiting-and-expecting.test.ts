import { a, type StagedSession } from '../../support/browser-session';
import { eventually } from '../../support/eventually';
import { blocking, openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** One session for all: waiting leaves nothing behind. */
let shared: StagedSession | undefined;
async function on(path: string): Promise<StagedSession> {
  shared ??= await stage.newSession();
  await shared.open(path);
  return shared;
}

test('waits until a text appears, or is gone', async () => {
  const session = await on('/parts/late?ms=500');
  expect(
    await session.did([a('WAIT_FOR', { text: 'Late button' }), a('WAIT_FOR', { text: 'Wait for it', hidden: true })]),
  ).toMatchObject({ isInterrupted: false });
});

/** A button that can be used, and is no longer covered, a moment after the page is there. */
const SOON = `<button id="save" disabled onclick="document.title = 'saved'">Save</button><button disabled>Send</button>
  <div id="cover" style="position: fixed; inset: 0"></div>
  <script>setTimeout(() => (save.disabled = false), 300); setTimeout(() => cover.remove(), 600)</script>`;

test('waits for the name of a control until it can be used', async () => {
  const session = await on(stage.page('/soon', SOON));
  await session.did([a('WAIT_FOR', { text: 'Save' })]);
  await session.page().evaluate(() => document.querySelector('button')?.click());
  expect(await session.page().title()).toBe('saved');
  const { outcomes } = await session.run([a('WAIT_FOR', { text: 'Send', seconds: 0.3 })]);
  expect(outcomes[0]?.message).toContain('“Send” is there, but is disabled, and that did not change within 0.3 s');
});

test('waits for a page that polls without end once, and then no more', async () => {
  const polling = `<button onclick="fetch('/never')">Go</button><script>fetch('/never')</script>`;
  const session = await on(stage.page('/polls', polling));
  const press = a('CLICK_ELEMENT', { selector: 'button' });
  await session.did([press, press]);
  const { watch, page } = session.attachment();
  expect(await watch.settle(page, new AbortController().signal)).toBe(false);
});

test('waits once for what is sent and never answered, with the command or at the end of its batch', async () => {
  const sending = `<button onclick="fetch('/never', { method: 'POST' })">Go</button>`;
  const session = await on(stage.page('/sends', sending));
  const { watch, page } = session.attachment();
  watch.startCollecting();
  await page.evaluate(() => document.querySelector('button')!.click());
  expect(await watch.settle(page, new AbortController().signal)).toBe(true);
  expect(await watch.settle(page, new AbortController().signal)).toBe(false);
});

test('waits for what a command asks for, not for what the page posts in a regular beat', async () => {
  const polling = `<button onclick="fetch('/asked', { method: 'POST', body: 'by the click' })">Go</button><p>0</p><script>
    let count = 0;
    const poll = () => { document.querySelector('p').textContent = count += 1; fetch('/never', { method: 'POST', body: 'again', signal: AbortSignal.timeout(300) }).catch(() => {}); };
    setInterval(poll, 100);
  </script>`;
  const session = await on(stage.page('/posts', polling));
  await session.page().waitForFunction('count > 8');
  const { watch, page } = session.attachment();
  // A busy machine may break the beat for a while: then it is none.
  await eventually('there is nothing to wait for after a post', async () => {
    watch.startCollecting();
    const now = Number(await page.textContent('p'));
    await page.waitForFunction((before) => Number(document.querySelector('p')!.textContent) > before, now);
    return (await watch.settle(page, new AbortController().signal)) ? undefined : true;
  });
  const requests = await eventually('the posts of the beat are no evidence of a click', async () => {
    await session.did([a('CLICK_ELEMENT', { selector: 'button' })]);
    const { evidence } = await session.lastEntry();
    const paths = evidence?.kind === 'observed' ? evidence.requests.map(({ url }) => new URL(url).pathname) : [];
    return paths.includes('/never') ? undefined : paths;
  });
  expect(requests).toEqual(['/asked']);
});

test('waits for what each of several equal commands asks for, although it is the same each time', async () => {
  const page = `<button onclick="fetch('/asked', { method: 'POST', body: 'one more' })">One more</button>`;
  const session = await on(stage.page('/one-more', page));
  await session.did(Array.from({ length: 8 }, () => a('CLICK_ELEMENT', { selector: 'button' })));
  const { evidence } = await session.lastEntry();
  expect(evidence).toMatchObject({ requests: [{ method: 'POST', status: expect.any(Number) }] });
});

test('follows a page that leads to another', async () => {
  const end = stage.page('/end', '<h1>The end</h1>');
  stage.page('/hop', `<script>setTimeout(() => location.replace('/end'), 20)</script>`);
  const session = await on(stage.page('/start', '<a href="/hop">Go</a>'));
  await session.did([a('CLICK_ELEMENT', { selector: 'a' })]);
  expect(session.page().url()).toBe(end);
});

test('fails when the text does not appear, or disappear, in time', async () => {
  const session = await on('/parts/terms');
  const waits = [
    [a('WAIT_FOR', { text: 'Never', seconds: 0.3 }), '“Never” did not appear within 0.3 s'],
    [a('WAIT_FOR', { text: 'Walk carefully', hidden: true, seconds: 0.3 }), '“Walk carefully” is still there'],
  ] as const;
  for (const [draft, message] of waits) {
    const { outcomes } = await session.run([draft]);
    expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
    expect(outcomes[0]?.message).toContain(message);
  }
});

test('waits for a number of seconds', async () => {
  const session = await on('/parts/terms');
  const startedAt = performance.now();
  await session.did([a('WAIT_FOR', { seconds: 0.5 })]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(500);
  expect((await session.lastEntry()).response?.duration).toBeGreaterThanOrEqual(490);
});

test.each([
  ['a text', a('EXPECT', { text: 'walk  CAREFULLY' })],
  ['a text that is not there', a('EXPECT', { text: 'Run', absent: true })],
  ['a part of the address', a('EXPECT', { url: '/parts/terms' })],
  ['another address, to be absent', a('EXPECT', { url: '/checkout', absent: true })],
  ['a part of the title', a('EXPECT', { title: 'terms' })],
  ['an element', a('EXPECT', { selector: 'h1' })],
  ['the text of an element', a('EXPECT', { selector: 'h1', text: 'Terms' })],
  ['the text of a button', a('EXPECT', { selector: 'main button', text: 'Close' })],
  ['an element that is not there', a('EXPECT', { selector: '#none', absent: true })],
  ['all at once', a('EXPECT', { selector: 'h1', text: 'Terms', url: 'parts', title: 'Terms' })],
])('expects %s', async (_, draft) => {
  const session = await on('/parts/terms');
  expect(await session.did([draft])).toMatchObject({ isInterrupted: false });
});

test('reports what was expected, and on which page', async () => {
  const session = await on('/parts/terms');
  const wishes = [
    [a('EXPECT', { text: 'Run' }), /^Expected to see “Run”, but the page “Terms · Surefoot Supply” \(.*\) does not\.$/],
    [a('EXPECT', { text: 'Walk', absent: true }), /^Expected not to see “Walk”, .* still does\.$/],
    [a('EXPECT', { selector: '#none' }), /^Expected to see #none/],
    [a('EXPECT', { selector: 'h1', absent: true }), /^Expected not to see h1/],
    [a('EXPECT', { title: 'Cart' }), /a title with “Cart”/],
  ] as const;
  for (const [draft, message] of wishes) {
    const { outcomes } = await session.run([draft], { timeoutMs: 400 });
    expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
    expect(outcomes[0]?.message).toMatch(message);
  }
});

test('expects what a field or a list shows', async () => {
  const session = await on('/parts/form');
  expect(
    await session.did([
      a('INPUT_TEXT', { selector: '#name', text: 'Ada' }),
      a('EXPECT', { selector: '#name', text: 'Ada' }),
      a('SELECT_OPTION', { selector: '#country', option: 'Norway' }),
      a('EXPECT', { selector: '#country', text: 'Norway' }),
      a('EXPECT', { text: 'Email address' }),
    ]),
  ).toMatchObject({ isInterrupted: false });
});

describe('an expectation reads as a person does', () => {
  const READ = `<p id="state">In\u00ADactive&nbsp;since  <b>May</b></p><p id="sum">1,042.50</p><p>Save it</p>
    <a href="#">Home</a><button aria-label="Close">x</button><p>generic link button</p>
    <label><input id="on" type="checkbox" checked> News</label><button id="off" disabled>Pay</button>
    <div id="card">Lamp <input value="3"></div><details><summary id="more">More</summary>x</details>
    <input id="code" aria-invalid="true" value=""><input id="secret" type="password" value="hush">`;
  test.each([
    ['spaces that do not break', a('EXPECT', { text: 'inactive since may' })],
    ['a word from its beginning', a('EXPECT', { selector: '#state', text: 'active', absent: true })],
    ['a number as a whole', a('EXPECT', { selector: '#sum', text: '42', absent: true })],
    ['a number with its decimals', a('EXPECT', { selector: '#sum', text: '1042.50' })],
    ['a number without decimals that it has', a('EXPECT', { selector: '#sum', text: '1,042', absent: true })],
    ['case where it matters', a('EXPECT', { text: 'SAVE IT', matchCase: true, absent: true })],
    ['a text that is no button', a('EXPECT', { text: 'Save', roles: ['button'], absent: true })],
    ['a button by its name', a('EXPECT', { text: 'Close', roles: ['button'] })],
    ['no words of the accessibility tree', a('EXPECT', { text: 'cursor', absent: true })],
    ['the values inside an element', a('EXPECT', { selector: '#card', text: 'Lamp 3' })],
    ['a checked box', a('EXPECT', { selector: '#on', state: 'checked' })],
    ['a disabled button', a('EXPECT', { selector: '#off', state: 'disabled' })],
    ['a collapsed section', a('EXPECT', { selector: '#more', state: 'collapsed' })],
    ['an invalid field', a('EXPECT', { selector: '#code', state: 'invalid' })],
    ['an empty field', a('EXPECT', { selector: '#code', state: 'empty' })],
  ])('expects %s', async (_, draft) => {
    const session = await on(stage.page('/read', READ));
    expect(await session.did([draft])).toMatchObject({ isInterrupted: false });
  });

  test('says what the named element shows instead, never of a password', async () => {
    const session = await on(stage.page('/read', READ));
    const other = await session.run([a('EXPECT', { selector: '#sum', text: '42' })], { timeoutMs: 400 });
    expect(other.outcomes[0]?.message).toContain('It shows “1,042.50”.');
    const hidden = await session.run([a('EXPECT', { selector: '#secret', text: '42' })], { timeoutMs: 400 });
    expect(hidden.outcomes[0]?.message).not.toContain('hush');
  });
});

describe('a count', () => {
  const COUNTED = `<table id="users"><tr><th>Name</th></tr><tr><td>Ada</td></tr><tr><td>Ben</td></tr><tr hidden><td>Cy</td></tr></table>
    <ul id="notes"><li>Soil</li><li style="display: none">Gone</li></ul><article>A</article><article>B</article>
    <script>setTimeout(() => notes.insertAdjacentHTML('beforeend', '<li>Late</li>'), 300)</script>`;
  test.each([
    ['the rows of a table without its head and what is hidden', { selector: '#users', roles: ['row'], count: 2 }],
    ['the entries of a list, also late ones', { selector: '#notes', roles: ['listitem'], count: 2 }],
    ['parts of the page', { roles: ['article'], count: 2 }],
    ['nothing of a kind', { roles: ['dialog'], count: 0 }],
    ['another count, to be absent', { selector: '#users', roles: ['row'], count: 3, absent: true }],
  ])('expects %s', async (_, parameters) => {
    const session = await on(stage.page('/counted', COUNTED));
    expect(await session.did([a('EXPECT', parameters)])).toMatchObject({ isInterrupted: false });
  });

  test('that differs is said with what there is instead, and without roles it is refused', async () => {
    const session = await on(stage.page('/counted', COUNTED));
    const more = a('EXPECT', { selector: '#users', roles: ['row'], count: 3 });
    const other = await session.run([more], { timeoutMs: 400 });
    expect(other.outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
    expect(other.outcomes[0]?.message).toMatch(/3 of the role row.* does not\. It shows “2”\.$/);
    for (const parameters of [{ count: 3 }, { roles: ['row'], count: 2, text: 'Ada' }]) {
      const { outcomes } = await session.run([a('EXPECT', parameters)], { timeoutMs: 400 });
      expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
    }
  });
});

test('does not treat an unreadable page as one without the text', async () => {
  const busy = stage.page('/busy', `<p>Order placed</p><button onclick="${blocking(2500)}">Think</button>`);
  const session = await on(busy);
  await session.page().evaluate(() => void setTimeout(() => document.querySelector('button')?.click()));
  const { outcomes } = await session.run([a('EXPECT', { text: 'Order placed', absent: true })], { timeoutMs: 1000 });
  expect(outcomes).toMatchObject([{ status: 'failed' }]);
});

test('scrolls by screens, to the ends and to an element', async () => {
  const session = await on('/parts/long');
  const page = session.page();
  const y = () => page.evaluate(() => scrollY);
  await session.did([a('SCROLL', { to: 'down' })]);
  const oneScreen = await y();
  expect(oneScreen).toBeGreaterThan(400);
  await session.did([a('SCROLL', { to: 'bottom' })]);
  expect(await y()).toBeGreaterThan(oneScreen);
  await session.did([a('SCROLL', { to: 'top' })]);
  expect(await y()).toBe(0);
  await session.did([a('SCROLL', { to: 'element', selector: '#bottom' })]);
  expect(await y()).toBeGreaterThan(oneScreen);
  await session.did([a('SCROLL', { to: 'up' })]);
  const { outcomes } = await session.run([a('SCROLL', { to: 'element' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
});
