/** What a look has of pages that a plain snapshot has too much of, or does not have at all. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { walkNodes, type PageSnapshot, type PageNode } from '../../../contracts/browsers/page-snapshot';
import { TOOLS } from '../../../activities/browser/pages/investigation/tools';
import { loadSessionValues } from '../../../activities/secrets/session-values';
import { durableTarget } from '../../../rules/page-text/durable-target';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const NOTE = `<output id="note"></output><script>const say = (text) => (document.getElementById('note').textContent = text);</script>`;
const ROWS = 5000;

function table(rows: number, name = (index: number) => `Bean ${index}`): string {
  const body = Array.from(
    { length: rows },
    (_, index) =>
      `<tr><td>${name(index)}</td><td>${index % 90} EUR</td><td><button onclick="say('row ${index}')">Buy</button></td></tr>`,
  );
  return `${NOTE}<h1>Beans</h1><button onclick="say('the basket')">Buy</button>
    <table><thead><tr><th>Name</th><th>Price</th><th>Do</th></tr></thead><tbody>${body.join('')}</tbody></table><a href="#end">End</a>`;
}

const nodesOf = (look: PageSnapshot): PageNode[] => [...walkNodes(look.nodes)].map(({ node }) => node);
const named = (look: PageSnapshot, role: string, name: string) =>
  nodesOf(look).find((node) => node.role === role && (node.name ?? node.text) === name);

/** One session for all tests with the same steps: what a look keeps of a long page depends on their words. */
const shared = new Map<string, StagedSession>();
let pages = 0;
async function on(html: string, steps = ['a step']): Promise<StagedSession> {
  const key = steps.join('\n');
  const session = shared.get(key) ?? (await stage.newSession({ steps }));
  shared.set(key, session);
  // An address of its own: of a page that was seen before, what is new is marked.
  await session.open(stage.page(`/observed-${(pages += 1)}`, html));
  return session;
}

/** Clicks the element of this ref in the newest look, and resolves to what the page noted. */
async function clicked(session: StagedSession, ref: string | undefined): Promise<string | null> {
  const target = ref === undefined ? undefined : durableTarget(await session.look(), ref);
  if (target === undefined) throw new Error(`Expected a target for ${ref}`);
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  return await session.page().textContent('#note');
}

test('an investigation searches a document that is too long to be shown, and keeps it as a file', async () => {
  const session = await on(table(ROWS));
  const { sessionId } = session;
  const values = await loadSessionValues(stage.store, sessionId, {});
  const context = { store: stage.store, attachment: session.attachment(), values, sessionId, stepIndex: 0 };
  const found = await TOOLS.full_dom_retrieval({
    ...context,
    phaseId: `${sessionId}.dom`,
    screenshotsEnabled: true,
    focus: ['“Bean 4711”'],
    selectors: [],
    signal: new AbortController().signal,
  });
  expect(found.text).toContain('<td>Bean 4711</td>');
  expect(found.text.length).toBeLessThanOrEqual(100_000);
  expect(found.summary).toMatch(/^The whole DOM has \d{6} characters: \d{5,6} of them/);
  const row = await stage.store.artifacts.get(sessionId, found.artifactId!);
  expect((await stage.store.artifacts.read(row!)).toString()).toContain('<td>Bean 4999</td>');
});

describe('a table of thousands of rows', () => {
  test('has its first and last rows, those with relevant words, and the number of omitted ones', async () => {
    const session = await on(table(ROWS), ['Find "Bean 4711"', 'Buy the bean that costs 17 EUR']);
    const look = await session.look();
    const cells = nodesOf(look).flatMap(({ role, name }) => (role === 'cell' ? [name] : []));
    expect(cells).toEqual(expect.arrayContaining(['Bean 0', 'Bean 9', 'Bean 4711', 'Bean 4999', '17 EUR']));
    expect(named(look, 'link', 'End')).toBeDefined();
    expect(JSON.stringify(look).length).toBeLessThan(60_000);

    const leftOut = nodesOf(look).flatMap((node) => node.omitted?.count ?? []);
    const rows = nodesOf(look).filter((node) => node.role === 'row' && node.anchor !== undefined);
    expect(leftOut.reduce((sum, count) => sum + count, 0) + rows.length).toBe(ROWS);
  });

  test('has targets that find the exact row, and the equal one outside of it', async () => {
    const session = await on(table(ROWS), ['Buy "Bean 4711"']);
    const row = nodesOf(await session.look()).find(({ children }) =>
      children?.some((child) => typeof child !== 'string' && child.name === 'Bean 4711'),
    );
    const inRow = [...walkNodes(row!.children!)].find(({ node }) => node.role === 'button');
    expect(await clicked(session, inRow?.node.ref)).toBe('row 4711');
    expect(await clicked(session, named(await session.look(), 'button', 'Buy')?.ref)).toBe('the basket');
  });

  test('distinguishes equal rows by their place, and acts on none when there are more of them now', async () => {
    const session = await on(
      table(ROWS, () => 'Twin'),
      ['Buy'],
    );
    const rows = nodesOf(await session.look()).filter((node) => node.anchor !== undefined);
    const [, second] = rows;
    expect(second?.anchor).toMatchObject({ nth: 0, of: Math.ceil(ROWS / 90) });
    const last = [...walkNodes(rows.at(-1)!.children!)].find(({ node }) => node.role === 'button')!;
    expect(await clicked(session, last.node.ref)).toBe(`row ${ROWS - 1}`);
    const target = durableTarget(await session.look(), last.node.ref!)!;
    await session
      .page()
      .evaluate(() =>
        document.querySelector('tbody tr')!.before(document.querySelector('tbody tr:last-child')!.cloneNode(true)),
      );
    const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
    expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  });

  test('keeps the row of the focus, and one that is new', async () => {
    const session = await on(table(ROWS));
    await session.page().evaluate(() => {
      document.querySelectorAll('tbody tr')[2500]!.querySelector('button')!.focus();
      document.querySelectorAll('tbody td')[9000]!.textContent = 'Fresh Bean';
    });
    await session.did([a('GET_DOM')]);
    const look = await session.look();
    expect(named(look, 'cell', 'Bean 2500')).toBeDefined();
    const fresh = nodesOf(look).find(({ children }) =>
      children?.some((child) => typeof child !== 'string' && child.name === 'Fresh Bean'),
    );
    expect(fresh).toMatchObject({ since: 'new', anchor: { isTransient: true } });
  });

  test('is whole for the page itself and for every selector', async () => {
    const session = await on(table(ROWS));
    const walked = await session.page().evaluate(() => {
      let count = 0;
      for (let row = document.querySelector('tbody')!.firstChild; row !== null; row = row.nextSibling) count += 1;
      return count;
    });
    expect(walked).toBe(ROWS);
    expect(await session.page().locator('tbody tr').count()).toBe(ROWS);
  });
});

describe('shadow trees', () => {
  const box = (name: string, mode: string, inner: string): string =>
    `<${name}></${name}><script>customElements.define('${name}', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(inner).replaceAll('</', '<\\/')}; }
    })</script>`;

  test('open or closed, and nested, are part of the snapshot, and their elements can be used', async () => {
    const inner = `<button onclick="say('closed')">Deep</button><label>Code <input type="password" value="hunter2"></label><div id="nest"></div>`;
    const nest = `<script>{ const root = document.getElementById('host').attachShadow({ mode: 'closed' });
      root.innerHTML = '<p>First</p><div id="second"></div>';
      root.getElementById('second').attachShadow({ mode: 'closed' }).innerHTML = '<button onclick="say(\\'second\\')">Deeper</button>'; }</script>`;
    const session = await on(
      `${NOTE}${box('x-open', 'open', '<button>Open</button>')}${box('x-closed', 'closed', inner)}<div id="host"></div>${nest}`,
    );
    const look = await session.look();
    expect(named(look, 'button', 'Open')).toBeDefined();
    expect(named(look, 'textbox', 'Code')?.text).toBe('[secret]');
    expect(JSON.stringify(look)).not.toContain('hunter2');
    expect(await clicked(session, named(look, 'button', 'Deep')?.ref)).toBe('closed');
    expect(await clicked(session, named(await session.look(), 'button', 'Deeper')?.ref)).toBe('second');
    expect(await session.page().evaluate(() => document.querySelector('x-closed')!.shadowRoot)).toBeNull();
  });

  test('that come into a document that was looked at before are part of the next snapshot', async () => {
    const session = await on('<h1>Orders</h1>');
    expect(named(await session.look(), 'heading', 'Orders')).toBeDefined();
    await session.page().evaluate(() => {
      const host = document.body.appendChild(document.createElement('div'));
      const outer = host.attachShadow({ mode: 'closed' });
      outer.innerHTML = '<p>Three orders</p><div></div>';
      outer.querySelector('div')!.attachShadow({ mode: 'closed' }).innerHTML = '<p>One is late</p>';
    });
    // Without a command, which would search through shadow trees itself.
    await session.run([]);
    const look = JSON.stringify(await session.look());
    expect(look).toContain('Three orders');
    expect(look).toContain('One is late');
  });

  test('are found by a worker that took over and has taken no snapshot yet', async () => {
    const session = await stage.newSession();
    const html = `${NOTE}${box('x-closed', 'closed', `<button onclick="say('found')">Deep</button>`)}`;
    await session.open(stage.page('/taken-over', html));
    const target = await session.target('button', 'Deep');
    await session.acquire('second');
    await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)], { worker: 'second' });
    expect(await session.page('second').textContent('#note')).toBe('found');
  });
});

describe('frames', () => {
  let elsewhere: Server;
  beforeAll(async () => {
    const list = Array.from({ length: 3000 }, (_, index) => `<li>Item ${index}</li>`).join('');
    elsewhere = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<button onclick="this.textContent = 'Pressed'">Press</button><ul>${list}</ul><x-y></x-y><script>document.querySelector('x-y').attachShadow({ mode: 'closed' }).innerHTML = '<a href="#x">Hidden link</a>'</script>`,
      );
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  test.each(['127.0.0.1', 'localhost'])('of %s, also nested, are part of the snapshot', async (host) => {
    const inner = `http://${host}:${(elsewhere.address() as AddressInfo).port}/`;
    const middle = stage.page('/middle', `<p>Middle</p><iframe src="${inner}"></iframe>`);
    const session = await on(`<h1>Outer</h1><iframe src="${middle}"></iframe>`, ['Read item 1234']);
    await session.page().frameLocator('iframe').frameLocator('iframe').locator('x-y').waitFor({ state: 'attached' });
    await session.did([a('GET_DOM')]);
    const look = await session.look();
    expect(named(look, 'listitem', 'Item 1234')).toBeDefined();
    expect(named(look, 'listitem', 'Item 2999')).toBeDefined();
    expect(named(look, 'listitem', 'Item 2000')).toBeUndefined();
    expect(named(look, 'link', 'Hidden link')).toBeDefined();
    await session.did([a('CLICK_ELEMENT', {}, await session.target('button', 'Press'))].map(withSelector));
    expect(named(await session.look(), 'button', 'Pressed')).toMatchObject({ since: 'new' });
  });

  const withSelector = (draft: ReturnType<typeof a>) => ({
    ...draft,
    parameters: { selector: draft.target!.selector },
  });
});

test('a dialog that fades away after a click is gone, and what moves for ever is not waited for', async () => {
  const session = await stage.newSession();
  await session.open(
    stage.page(
      '/fading',
      `<style>@keyframes turn { to { rotate: 1turn } } i { display: block; width: 9px; height: 9px; animation: turn 1s infinite }</style>
      <i></i><div role="dialog" aria-label="Sure?" style="transition: opacity 0.3s"><button>Agree</button></div>
      <script>{ const dialog = document.querySelector('[role=dialog]');
        dialog.onclick = () => { dialog.style.opacity = 0; dialog.ontransitionend = () => dialog.remove(); }; }</script>`,
    ),
  );
  await session.did([a('CLICK_ELEMENT', { selector: 'button' })]);
  expect(JSON.stringify((await session.look()).nodes)).not.toContain('Agree');
});

test('a control that the page sets back a moment later is shown as it is then', async () => {
  const session = await stage.newSession();
  const controls = [
    [a('SET_CHECKED', { selector: '#news', checked: true }), 'checkbox', 'News', '"checked":true'],
    [a('INPUT_TEXT', { selector: '#city', text: 'Santiago' }), 'textbox', 'City', 'Santiago'],
    [a('SELECT_OPTION', { selector: '#land', option: 'Peru' }), 'combobox', 'Country', '"selected":true}]'],
  ] as const;
  for (const [path, later] of [
    ['/setting-back', 'setTimeout'],
    ['/keeping', 'Boolean'],
  ] as const) {
    await session.open(
      stage.page(
        path,
        `<input type="checkbox" id="news" aria-label="News" onchange="${later}(() => (news.checked = false), 35)">
        <input id="city" aria-label="City" oninput="${later}(() => (city.value = ''), 35)">
        <select id="land" aria-label="Country" onchange="${later}(() => (land.value = 'Chile'), 35)"><option>Chile<option>Peru</select>`,
      ),
    );
    for (const [command, role, name, state] of controls) {
      // On a busy machine the command itself may see that it is set back, and fails.
      await session.run([command]);
      const shown = JSON.stringify(named(await session.look(), role, name));
      expect({ shown, isSet: shown.includes(state) }).toEqual({ shown, isSet: path === '/keeping' });
    }
  }
  await session.release();
});

test.each([
  ['listens to nothing', 0, ''],
  ['listens only to the submission of its form', 0, "document.querySelector('form').onsubmit = () => false"],
  ['listens anywhere to what is typed', 1, "window.addEventListener('input', () => {})"],
  ['listens by an object', 1, "document.addEventListener('input', { __proto__: null, handleEvent() {} })"],
  ['has a shadow tree', 1, "document.querySelector('p').attachShadow({ mode: 'open' })"],
])('a page that %s is given time to set two fields back %i times', async (_, waits, script) => {
  const session = await on(`<form><input id="city"><input id="street"></form><p></p><script>
    const inTime = setTimeout;
    let waits = 0;
    window.setTimeout = (work, ms) => { if (ms === 40) waits += 1; return inTime(work, ms); };
    ${script}
  </script>`);
  await session.did([
    a('INPUT_TEXT', { selector: '#city', text: 'Santiago' }),
    a('INPUT_TEXT', { selector: '#street', text: 'Lira 1' }),
  ]);
  expect(await session.page().evaluate('waits')).toBe(waits);
});

test('what a style sheet hides is not shown by a look, also where the sheet comes later than the page', async () => {
  const server = createServer(({ url }, response) => {
    if (url !== '/late.css') {
      response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' });
      response.end(
        '<!doctype html><link rel="stylesheet" href="/late.css"><link rel="stylesheet" href="/none.css"><button>Shown</button><button class="not">Hidden</button>',
      );
      return;
    }
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/css' }).end('.not { display: none }'), 500);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const session = await stage.newSession();
    await session.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const look = await session.look();
    expect(named(look, 'button', 'Shown')).toBeDefined();
    expect(named(look, 'button', 'Hidden')).toBeUndefined();
    await session.release();
  } finally {
    server.close();
  }
});

test('a table that is only sorted has changed, and controls that change places have not', async () => {
  const session = await on(
    `<table><tr><td>Bean 1</td></tr><tr><td>Bean 2</td></tr></table>
    <button onclick="document.querySelector('tbody').prepend(document.querySelector('tr:last-child'))">Sort</button>
    <button onclick="this.previousElementSibling.before(this)">Jump</button>`,
  );
  const click = (name: string) => session.did([a('CLICK_ELEMENT', { selector: `role=button[name="${name}"]` })]);
  await session.look();
  await click('Jump');
  expect((await session.look()).isUnchanged).toBe(true);
  await click('Sort');
  expect((await session.look()).isUnchanged).toBeUndefined();
});

test('what is new or changed since the previous snapshot is marked, and nothing on another page', async () => {
  const session = await on(
    `<h1>Cart</h1><p>Total: 5 EUR</p><input aria-label="Coupon"><ul><li>Bean</li></ul><button onclick="
      document.querySelector('p').textContent = 'Total: 4 EUR';
      document.body.insertAdjacentHTML('beforeend', '<div role=alert>Coupon taken</div>')">Apply</button>`,
  );
  await session.did([
    a('INPUT_TEXT', { selector: 'role=textbox', text: 'SAVE' }),
    a('CLICK_ELEMENT', { selector: 'role=button' }),
  ]);
  const marks = nodesOf(await session.look()).flatMap(({ role, since }) =>
    since === undefined ? [] : [`${role} ${since}`],
  );
  expect(marks).toEqual(expect.arrayContaining(['paragraph changed', 'textbox changed', 'alert new']));
  expect(marks).not.toContain('listitem new');
  await session.did([a('CLICK_ELEMENT', { selector: 'role=heading' })]);
  expect((await session.look()).isUnchanged).toBe(true);
  await session.did([a('INPUT_TEXT', { selector: 'role=textbox', text: 'SPARE' })]);
  expect((await session.look()).isUnchanged).toBeUndefined();

  await session.open(stage.page('/other', '<h2>Elsewhere</h2><p>Another page</p><a href="#a">On</a>'));
  expect(nodesOf(await session.look()).filter(({ since }) => since !== undefined)).toEqual([]);
});
