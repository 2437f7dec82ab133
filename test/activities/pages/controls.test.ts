/** What a snapshot says of controls that Playwright's tree lacks, does not name, or does not find again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWithSnapshot } from '../../../bench/pages/oracle/compare';
import { walkNodes, type PageNode, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { durableTarget } from '../../../rules/page-text/durable-target';
import { pageText } from '../../../rules/page-text/page-text';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

const NOTE = `<output id="note"></output><script>const say = (text) => (document.getElementById('note').textContent = text);</script>`;

let pages = 0;
async function show(html: string): Promise<PageSnapshot> {
  await session.open(stage.page(`/controls-${(pages += 1)}`, NOTE + html));
  return await session.look();
}

const nodesOf = (look: PageSnapshot): PageNode[] => [...walkNodes(look.nodes)].map(({ node }) => node);
function find(look: PageSnapshot, name: string, nth = 0): PageNode {
  const found = nodesOf(look).filter(
    (node) => node.ref !== undefined && (node.name === name || (!node.name && node.text === name)),
  )[nth];
  if (found === undefined) throw new Error(`Expected “${name}”, got ${JSON.stringify(look.nodes)}`);
  return found;
}

/** Clicks an element of the newest snapshot by its ref, and resolves to what the page noted. */
async function clicked({ ref }: PageNode): Promise<string | null> {
  const target = durableTarget(await session.look(), ref!);
  if (target === undefined) throw new Error(`Expected a target for ${ref}`);
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  return await session.page().textContent('#note');
}

test('whatever has a click handler is in the snapshot and can be clicked by its ref', async () => {
  const look = await show(`<style>.star::before { content: '* ' } .new::after { content: 'NEW' }</style>
    <p>I agree to the <span id="inline">terms</span> of use.</p>
    <span class="star" onclick="say('star')">Star</span><div class="new" onclick="say('offers')">Offers</div>
    <div onclick="say('notice')">Privacy&nbsp;notice</div>
    <div class="card" style="cursor:pointer"><h3>Basic</h3><button onclick="event.stopPropagation(); say('choose')">Choose</button></div>
    <div class="card" style="cursor:pointer"><h3>Pro</h3><button>Choose</button></div>
    <span role="none" title="Edit" onclick="say('edit')"><svg width="16" height="16"><path d="M0 0h16v16H0z"/></svg></span>
    <svg width="40" height="40"><circle id="dot" aria-label="Dot" cx="20" cy="20" r="15"/></svg>
    <canvas id="draw" title="Drawing" width="60" height="30"></canvas><x-switch style="display:inline-block;width:40px;height:20px"></x-switch>
    <input type="checkbox" id="hidden" style="display:none" onchange="say('ticked')"><label for="hidden">News</label>
    <details><summary>More&nbsp;info</summary>text</details><div aria-hidden="true"><button onclick="say('ghost')">Ghost</button></div><button>Ghost</button>
    <script>
      for (const [selector, text] of [['#inline', 'terms'], ['#dot', 'dot'], ['#draw', 'canvas']]) document.querySelector(selector).addEventListener('click', () => say(text));
      document.querySelector('x-switch').addEventListener('pointerdown', () => say('switch'));
      document.querySelectorAll('.card').forEach((card) => card.addEventListener('click', () => say(card.querySelector('h3').textContent)));
    </script>`);
  expect(await clicked(find(look, 'terms'))).toBe('terms');
  expect(await clicked(find(look, 'Star'))).toBe('star');
  expect(await clicked(find(look, 'OffersNEW'))).toBe('offers');
  expect(await clicked(find(look, 'Privacy notice'))).toBe('notice');
  expect(await clicked(find(look, 'Edit'))).toBe('edit');
  expect(await clicked(find(look, 'Dot'))).toBe('dot');
  expect(await clicked(find(look, 'Drawing'))).toBe('canvas');
  expect(await clicked(find(look, 'x switch'))).toBe('switch');
  expect(await clicked(find(look, 'News'))).toBe('ticked');
  expect(find(await session.look(), 'News')).toMatchObject({ checked: true });
  expect(await clicked(find(look, 'Ghost'))).toBe('ghost');
  const cards = nodesOf(look).filter(({ role, cursor, children }) => role === 'generic' && cursor && children);
  expect(cards).toHaveLength(2);
  expect(await clicked(cards[1]!)).toBe('Pro');
  expect(await clicked(find(look, 'Choose'))).toBe('choose');
  await clicked(nodesOf(look).find(({ text, name }) => (name ?? text) === 'More info')!);
  expect(await session.page().evaluate(() => document.querySelector('details')!.open)).toBe(true);
});

test('handlers that React, jQuery and Svelte keep elsewhere are found; one on a whole part is no control', async () => {
  const look =
    await show(`<div id="app"><span id="react">React row</span></div><ul id="list"><li>First</li><li>Second</li></ul>
    <span id="svelte">Svelte item</span><main style="height:900px"><p>Text of a part</p></main>
    <script>
      document.getElementById('react').__reactProps$x = { onClick() {} };
      document.getElementById('svelte').__click = () => {};
      globalThis.jQuery = { _data: (at) => (at.id === 'list' ? { click: [{ selector: 'li' }] } : undefined) };
      for (const selector of ['#list', 'main']) document.querySelector(selector).addEventListener('click', () => {});
    </script>`);
  for (const name of ['React row', 'Svelte item']) expect(find(look, name)).toMatchObject({ cursor: 'pointer' });
  const items = nodesOf(look).filter(({ role }) => role === 'listitem');
  expect(items).toMatchObject([{ cursor: 'pointer' }, { cursor: 'pointer' }]);
  expect(nodesOf(look).find(({ role }) => role === 'main')?.cursor).toBeUndefined();
});

test('a text that shows the pointer is clickable where the listener is that of a part around it', async () => {
  const look =
    await show(`<div id="list"><p>Trip of Ann <span style="cursor:pointer">Flag as urgent</span></p><p>Trip of Bo, 7 May</p></div>
    <script>document.getElementById('list').addEventListener('click', ({ target }) => target.tagName === 'SPAN' && say(target.textContent));</script>`);
  expect(find(look, 'Flag as urgent')).toMatchObject({ cursor: 'pointer' });
  expect(await clicked(find(look, 'Flag as urgent'))).toBe('Flag as urgent');
});

test('pictures of a style sheet are named by their class, and text that nobody sees names nothing', async () => {
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
  const look =
    await show(`<style>.star, .trash { content: url(${pixel}); width: 12px; height: 12px; cursor: pointer }</style>
    <div onclick="say('mail')"><b>Ann</b> <i>Hello</i><span class="star active" onclick="say('star')"></span><span class="trash" onclick="say('trash')"></span></div>
    <div onclick="say('mail')"><b>Bob</b> <i>Hi</i><span class="star" onclick="say('star')"></span><span class="trash" onclick="say('trash')"></span></div>
    <p>Remarks:</p><p style="visibility: hidden">Hidden words</p><textarea id="notes"></textarea>
    <div class="slider"><span class="slider-handle" tabindex="0" style="display: inline-block; width: 9px; height: 9px"></span></div>`);
  const rows = nodesOf(look).filter(({ children = [] }) =>
    children.some((child) => typeof child !== 'string' && child.name === 'star'),
  );
  expect(rows.map((row) => nodesOf({ ...look, nodes: [row] }).map(({ name, text }) => name ?? text))).toEqual([
    expect.arrayContaining(['star', 'trash']),
    expect.arrayContaining(['star', 'trash']),
  ]);
  expect(nodesOf(look).find(({ role }) => role === 'textbox')).toMatchObject({
    name: 'Remarks',
    states: ['multiline'],
  });
  expect(nodesOf(look).find(({ states = [] }) => states.includes('slider'))).toMatchObject({ ref: expect.anything() });
});

test('icons without an accessible name are named by tooltip, icon, neighbour or place', async () => {
  const icon = (inner: string, outer = ''): string =>
    `<button ${outer}>${inner}<svg width="16" height="16"><path d="M0 0h16v16H0z"/></svg></button>`;
  const look =
    await show(`<style>.fa-trash::before { content: '\\f1f8' } .dot { width: 20px; height: 20px; display: inline-block }</style>
    <div>${icon('', 'data-tooltip="Bold"')}${icon('<i class="fa fa-trash"></i>')}<button><svg width="16" height="16" data-icon="times"></svg></button></div>
    <div>Quantity: <input type="number"></div><div>${[1, 2, 3].map(() => '<span class="dot" style="cursor:pointer"></span>').join('')}</div>`);
  const named = nodesOf(look).map(({ role, name }) => `${role} ${name ?? ''}`);
  expect(named).toEqual(
    expect.arrayContaining(['button Bold', 'button trash', 'button times', 'spinbutton Quantity', 'generic 2 of 3']),
  );
  for (const node of nodesOf(look).filter(({ role }) => role === 'button'))
    expect(durableTarget(look, node.ref!)).toMatchObject({ of: 1 });
});

test('an editor is named by the text before it, not by its tools and the numbers of its lines', async () => {
  const look =
    await show(`<p>Story</p><div role="toolbar"><button>Bold</button></div><div class="box"><div class="ed-editor" contenteditable="true">Once</div></div>
    <h2>Code</h2><div class="wrap"><div class="scroll"><div aria-hidden="true">1 ›</div><div role="textbox" contenteditable="true">let a;</div></div></div>`);
  const editors = nodesOf(look).filter(({ states = [] }) => states.includes('editable'));
  expect(editors.map(({ name }) => name)).toEqual(['Story', 'Code']);
});

test('a box is named by the words behind it where its line begins with a box, and else by those before it', async () => {
  const look = await show(`<h3>Print options</h3><p><input type="checkbox"> Room numbers</p>
    <div><span role="checkbox" tabindex="0" style="display: inline-block; width: 9px; height: 9px"></span><b>In colour</b></div>
    <p><input type="radio" name="size"> A4 <input type="radio" name="size"> A3</p><p>Gift wrap <input type="checkbox"></p>`);
  const boxes = nodesOf(look).filter(({ role }) => role === 'checkbox' || role === 'radio');
  expect(boxes.map(({ name }) => name)).toEqual(['Room numbers', 'In colour', 'A4', 'A3', 'Gift wrap']);
});

test('states and values are shown, a password never', async () => {
  const look =
    await show(`<div role="slider" aria-label="Volume" aria-valuenow="5" aria-valuemin="0" aria-valuemax="10" tabindex="0" style="width:90px;height:9px"></div>
    <input aria-label="Code" required aria-invalid="true" aria-errormessage="wrong" value="x"><p id="wrong">Code is wrong</p>
    <input aria-label="Fixed" readonly value="ro" aria-describedby="hint"><p id="hint">From your contract</p>
    <input aria-label="Pin" type="password" value="hunter2"><div aria-label="Note" contenteditable="true">Old note</div>
    <button aria-haspopup="menu" aria-expanded="false">Menu</button><button aria-haspopup="listbox" aria-expanded="false">City</button><button title="Munich">●</button><div draggable="true">Card</div><input type="date" aria-label="Day">
    <select aria-label="Size"><option>Small</option><option selected>Large</option></select><div id="menu">Area</div>
    <script>document.getElementById('menu').addEventListener('contextmenu', () => {})</script>`);
  const text = pageText(look, 8000);
  for (const line of [
    /slider "Volume" \[ref=\w+\] \[range=0\.\.10\] \[value="5"\]/,
    /textbox "Code" \[ref=\w+\] \[required\] \[invalid="Code is wrong"\]: x/,
    /textbox "Fixed" \[ref=\w+\] \[readonly\] \[description="From your contract"\]: ro/,
    /textbox "Pin" \[ref=\w+\] \[type=password\]: \[secret\]/,
    /generic .*\[editable\].*: Old note/,
    /button "Menu" \[ref=\w+\] \[expanded=false\] \[popup\]/,
    /button "City" \[ref=\w+\] \[expanded=false\] \[popup=listbox\]/,
    /button "●" \[ref=\w+\] \[description="Munich"\]/,
    /generic \[ref=\w+\] \[draggable\]: Card/,
    /textbox "Day" \[ref=\w+\] \[type=date\]/,
    /option "Large" \[selected\]/,
    /generic \[ref=\w+\] .*\[right-click\]: Area/,
  ])
    expect(text).toMatch(line);
  expect(JSON.stringify(look)).not.toContain('hunter2');
});

test('what a click would not reach is reported: transparent, off-screen, covered, inert, behind a dialog', async () => {
  const look =
    await show(`<button style="opacity:0">Clear</button><button style="position:absolute;left:-9999px">Far</button>
    <div style="position:relative;width:120px;height:30px"><button style="width:120px;height:30px">Under</button><div style="position:absolute;inset:0;background:#ccc">Cover</div></div>
    <div inert><button>Idle</button></div><div style="height:2000px"></div><button>Below</button>
    <div style="overflow:auto;height:20px"><div style="height:200px"></div><button>In a list</button></div>
    <label><input type="checkbox" style="opacity:0">Styled</label>`);
  const reached = Object.fromEntries(
    nodesOf(look).flatMap((node) => (node.name ? [[node.name, node.unreachable]] : [])),
  );
  expect(reached).toEqual({
    Clear: 'transparent',
    Far: 'off-screen',
    Under: 'covered by div "Cover"',
    Idle: 'inert',
    Below: undefined,
    'In a list': undefined,
    Styled: undefined,
  });
  const modal = await show(
    `<button>Behind</button><dialog><h2 id="t">Sure?</h2><button>Yes</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
  );
  expect(find(modal, 'Behind').unreachable).toMatch(/^(?:behind|covered by) dialog "Sure\?/);
  expect(find(modal, 'Yes').unreachable).toBeUndefined();
});

test('equal elements are counted as the browser counts them, whatever the tree drops or reorders', async () => {
  const look =
    await show(`<a href="#1" onclick="say('first')"><h4>Buy</h4><p>now</p></a><a href="#2" onclick="say('second')"><h4>Buy</h4><p>now</p></a>
    <x-host><button slot="b" onclick="say('b')">Go</button><button slot="a" onclick="say('a')">Go</button></x-host>
    <script>customElements.define('x-host', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<slot name="a"></slot><slot name="b"></slot>'; } })</script>`);
  const links = nodesOf(look).filter(({ role }) => role === 'link');
  expect(await clicked(links[1]!)).toBe('second');
  expect(await clicked(find(look, 'Go', 0))).toBe('a');
  expect(await clicked(find(look, 'Go', 1))).toBe('b');
});

test('refs stay with their elements from one snapshot to the next', async () => {
  const look = await show(
    `<p>Read <span id="one">this</span></p><script>document.getElementById('one').addEventListener('click', () => {})</script>`,
  );
  await session.did([a('GET_DOM')]);
  expect(find(await session.look(), 'this').ref).toBe(find(look, 'this').ref);
});

test('an element that is gone is named, with what is known of it now', async () => {
  const look = await show(
    `<div class="row" onclick="say('deleted')">Draft A</div><div>Draft B</div><button id="save">Save</button>`,
  );
  const [row, save] = [find(look, 'Draft A'), find(look, 'Save')].map(({ ref }) => durableTarget(look, ref!)!);
  await session.page().evaluate(() => {
    document.querySelector('.row')!.textContent = 'Draft C';
    document.getElementById('save')!.style.visibility = 'hidden';
  });
  const tried = async (target: typeof row) =>
    (await session.run([a('CLICK_ELEMENT', { selector: target!.selector }, target)], { timeoutMs: 300 })).outcomes[0]
      ?.message;
  expect(await tried(row)).toMatch(
    /^There is no generic “Draft A” on .* any more\. In its place stands “Draft C” now\./,
  );
  expect(await tried(save)).toMatch(
    /^There is no button “Save” on .* any more\. It is still in the document, but hidden/,
  );
  expect(await session.page().textContent('#note')).toBe('');
});

test('names of the extension are those that Chromium computes by the specification of accessible names', async () => {
  const cases = [
    `<button aria-label="Label" aria-labelledby="one two">Content</button>`,
    `<button aria-labelledby="missing" aria-label="Label">Content</button>`,
    `<button><img alt="Search" src="x.png"></button>`,
    `<button>Save <img alt="all" src="x.png"> <span aria-hidden="true">x</span></button>`,
    `<a href="#"><svg width="9" height="9"><title>Home</title></svg></a>`,
    `<a href="#"><span aria-label="Basket">3</span> items</a>`,
    `<button title="Bold"></button>`,
    `<button title="Tip">Text</button>`,
    `<label>First <b>name</b> <input></label>`,
    `<label for="in">Street</label><input id="in">`,
    `<label>Flash <input value="3" aria-label="how often"> times <input type="checkbox"></label>`,
    `<input aria-labelledby="hidden">`,
    `<input type="submit">`,
    `<input type="reset" value="Clear">`,
    `<input type="image" alt="Go" src="x.png">`,
    `<input title="Tip">`,
    `<input placeholder="Hint">`,
    `<div role="checkbox" tabindex="0">Agree <i>now</i></div>`,
    `<div role="button" tabindex="0"><div>One</div><div>Two</div></div>`,
    `<button class="star">Rate</button>`,
    `<button>In<b>line</b></button>`,
    `<h2>Head <em>line</em></h2>`,
    `<img alt="Logo" src="x.png">`,
    `<select aria-label="Size"><option>Small</option></select>`,
    `<button><span style="display:none">no</span>yes</button>`,
  ];
  await show(`<style>.star::before { content: 'Star' }</style><span id="one">One</span><span id="two"><img alt="Two" src="x.png"></span>
    <span id="hidden" hidden>Hidden name</span>${cases.map((html, index) => `<div data-case="${index}">${html}</div>`).join('')}`);
  const page = session.page();
  await page.addScriptTag({ path: 'examples/extension/page-tools.js' });
  const read = await page.evaluate(() => {
    const { surefootPageTools: tools } = globalThis as unknown as {
      surefootPageTools: { readPage(input: object): { output: string } };
    };
    return tools.readPage({ filter: 'interactive' }).output;
  });
  const names = [...read.matchAll(/^\s*\[\d+\] (\w+) "(.*?)"/gm)]
    .filter(([, role]) => role !== 'option')
    .map(([, , name]) => name);
  const cdp = await session.attachment().cdp(page);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const ROLES = /^(?:button|link|checkbox|textbox|heading|image|img|combobox)$/;
  const computed = nodes.flatMap(({ role, name, ignored }) => {
    if (ignored || !ROLES.test(String(role?.value))) return [];
    return [
      String(name?.value ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ];
  });
  expect(names.filter((name) => computed.includes(name!))).toEqual(names);
  expect(names).toHaveLength(cases.length + 2);
});
test.each(['plans', 'fields', 'widgets'])(
  'each control of the bench’s page %s that a hit test shows has a ref that leads to it alone',
  async (name) => {
    await session.open(stage.page(`/${name}`, readFileSync(join(PLAIN, `${name}.html`), 'utf8')));
    const { visible, lacks } = await compareWithSnapshot(session.attachment());
    expect(visible).toBeGreaterThan(5);
    expect(lacks).toEqual([]);
  },
);

const PLAIN = join(__dirname, '..', '..', '..', 'bench', 'pages', 'plain');

test('a control that the page puts in anew while it is read is in the snapshot once', async () => {
  const look = await show(`<div id="root"></div><script>
    const render = () => {
      document.getElementById('root').innerHTML = '<button>Search</button><button aria-label="Close">x</button>';
      setTimeout(render);
    };
    render();
  </script>`);
  expect(nodesOf(look).filter(({ role }) => role === 'button')).toHaveLength(2);
});

test('a control has a digest of what is drawn around it, which changes with a map, a canvas or a picture', async () => {
  const look =
    await show(`<div id="map"><div id="pane" style="transform: translate3d(0, 0, 0)"></div><button>Zoom</button></div>
    <div><canvas id="chart" width="100" height="60"></canvas><p><button>Redraw</button></p></div>
    <div><img id="photo" alt="" width="60" height="60" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><button>Next</button></div>
    <div><span style="animation: turn 1s infinite; transform: rotate(0)">*</span><button>Wait</button></div><p><button>Far</button></p>
    <style>@keyframes turn { to { rotate: 1turn } }</style>`);
  const names = ['Zoom', 'Redraw', 'Next', 'Wait', 'Far'];
  const drawings = (each: PageSnapshot): (string | undefined)[] => names.map((name) => find(each, name).drawing);
  const before = drawings(look);
  expect(before).toEqual([...Array.from({ length: 3 }, () => expect.any(String) as string), undefined, undefined]);
  const lookAgain = async (): Promise<PageSnapshot> => {
    await session.did([a('SCROLL', { to: 'top' })]);
    return await session.look();
  };
  expect(drawings(await lookAgain())).toEqual(before);
  await session.page().evaluate(() => {
    document.getElementById('pane')!.style.transform = 'translate3d(9px, 0, 0)';
    (document.getElementById('chart') as HTMLCanvasElement).getContext('2d')!.fillRect(0, 0, 50, 50);
    (document.getElementById('photo') as HTMLImageElement).src =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  });
  // Until a picture has loaded, the one before it is shown.
  await session
    .page()
    .waitForFunction(() => (document.getElementById('photo') as HTMLImageElement).currentSrc.includes('svg'));
  const after = drawings(await lookAgain());
  expect(names.filter((_, index) => after[index] !== before[index])).toEqual(['Zoom', 'Redraw', 'Next']);
});

test('the digest of a control has the element around it that moves, and not what it draws itself', async () => {
  const look = await show(`<div id="pane" style="transform: translate3d(0, 0, 0)">
      <div style="transform: translate3d(1px, 0, 0)"></div><button>Pin</button></div>
    <div><span style="transform: translate3d(2px, 0, 0)"></span>
      <button>Turn <i id="icon" style="transform: rotate(0deg)">*</i></button></div>`);
  const drawings = (each: PageSnapshot) => [find(each, 'Pin').drawing, find(each, 'Turn *').drawing];
  const before = drawings(look);
  expect(before).toEqual([expect.any(String), expect.any(String)]);
  await session.page().evaluate(() => {
    document.getElementById('pane')!.style.transform = 'translate3d(9px, 0, 0)';
    document.getElementById('icon')!.style.transform = 'rotate(90deg)';
  });
  await session.did([a('SCROLL', { to: 'top' })]);
  const after = drawings(await session.look());
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});
