import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

const uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  writeFileSync(join(uploads, 'note.txt'), 'hello');
  stage = await openBrowserStage({ uploads });
  session = await stage.newSession();
});
afterAll(async () => {
  await stage.stop();
  rmSync(uploads, { recursive: true });
});

const PAGE = `<body style="margin: 0">
<button id="plain" ondblclick="log('double')" oncontextmenu="log('menu ' + event.button); return false">Plain</button>
<button id="hold" onpointerdown="this.at = performance.now()" onpointerup="if (performance.now() - this.at > 400) log('held')">Hold</button>
<button id="off" disabled>Off</button>
<div inert><button id="inert">Behind</button></div>
<button id="pulse" style="animation: pulse 0.4s infinite alternate" onclick="log('pulse')">Pulse</button>
<style>@keyframes pulse { to { transform: translateX(30px); } }</style>
<a id="opens" href="/opened" target="_blank">Opens</a>
<div id="card" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'card')" style="width: 80px; height: 30px; background: silver">Card</div>
<div id="area" ondragover="event.preventDefault()" ondrop="event.preventDefault(); log('drop ' + (event.dataTransfer.files[0]?.name ?? event.dataTransfer.getData('text/plain')))" style="width: 200px; height: 60px; background: beige">Area</div>
<div id="knob" style="position: absolute; left: 400px; top: 10px; width: 20px; height: 20px; background: red; touch-action: none"></div>
<div id="feed" style="height: 100px; overflow: auto"><p>Item 0</p></div>
<script>
  const log = (text) => { document.title = (document.title + ' ' + text).trim(); };
  document.title = '';
  let from;
  knob.onpointerdown = (event) => { from = event.clientX - knob.offsetLeft; knob.setPointerCapture(event.pointerId); };
  knob.onpointermove = (event) => { if (from !== undefined) knob.style.left = event.clientX - from + 'px'; };
  knob.onpointerup = () => { log('at ' + knob.offsetLeft); from = undefined; };
  let items = 1;
  const more = () => { for (let n = 0; n < 10 && items < 60; n += 1) feed.append(Object.assign(document.createElement('p'), { textContent: 'Item ' + items++ })); };
  feed.onscroll = () => setTimeout(more, 50); more();
</script>`;

test.each([
  ['double-clicks', a('DOUBLE_CLICK', { selector: '#plain' }), 'double'],
  ['clicks with the right button', a('RIGHT_CLICK', { selector: '#plain' }), 'menu 2'],
  ['presses and holds', a('PRESS_AND_HOLD', { selector: '#hold', seconds: 0.5 }), 'held'],
  ['clicks what never stops moving', a('CLICK_ELEMENT', { selector: '#pulse' }), 'pulse'],
  ['drags an element onto another', a('DRAG_ELEMENT', { selector: '#card', toSelector: '#area' }), 'drop card'],
  ['drags by an offset with the pointer', a('DRAG_ELEMENT', { selector: '#knob', byX: 120, byY: 0 }), 'at 520'],
  ['drops a file', a('DROP_FILES', { selector: '#area', files: ['note.txt'] }), 'drop note.txt'],
])('%s, once', async (_, draft, title) => {
  await session.open(stage.page('/pointer', PAGE));
  await session.did([draft]);
  expect(await session.page().title()).toBe(title);
});

test.each([
  ['disabled', '#off', 'It is disabled; nothing was clicked.'],
  ['behind what is inert', '#inert', 'It is inert: the page lets nobody use it now; nothing was clicked.'],
])('does not wait long for a button that is %s', async (_, selector, message) => {
  await session.open(stage.page('/pointer', PAGE));
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector })], { timeoutMs: 20_000 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX003', message }]);
  expect((await session.lastEntry()).response!.duration).toBeLessThan(8000);
});

const BOXES = `
<label id="styled"><input type="checkbox" style="position: absolute; opacity: 0; pointer-events: none"><span style="display: inline-block; width: 30px; height: 16px; background: green"></span>News</label>
<div style="position: relative; width: 90px; height: 30px"><label for="two" style="position: absolute; inset: 0 50% 0 0; overflow: hidden; background: gold">2</label><input type="radio" id="two" name="stars" style="position: absolute; clip-path: inset(50%); width: 1px; height: 1px">
<label for="three" style="position: absolute; inset: 0; z-index: 1; background: silver; pointer-events: auto">3</label><input type="radio" id="three" name="stars" style="position: absolute; left: 20px; width: 1px; height: 1px; overflow: hidden"></div>
<div id="switch" role="switch" aria-checked="false" tabindex="0" onclick="this.ariaChecked = this.ariaChecked !== 'true'">Night mode</div>
<button id="bold" aria-pressed="true" onclick="this.ariaPressed = this.ariaPressed !== 'true'">Bold</button>
<div id="keyed" role="checkbox" aria-checked="false" tabindex="0" onkeydown="if (event.key === ' ') this.ariaChecked = 'true'">Keys only</div>
<div id="slow" role="switch" aria-checked="false" tabindex="0" data-clicks="0" onclick="this.dataset.clicks++; setTimeout(() => this.ariaChecked = this.ariaChecked !== 'true', 2500)" onkeydown="if (event.key === ' ') this.click()">Slow</div>
<div id="dead" role="switch" aria-checked="false" tabindex="0" data-uses="0" onclick="this.dataset.uses++" onkeydown="this.dataset.uses++">Dead</div>
<input id="asks" type="checkbox" data-clicks="0" onclick="this.dataset.clicks++; event.preventDefault(); setTimeout(() => this.checked = !this.checked, 2500)">
<div id="stuck" role="switch" aria-checked="false" tabindex="0">Stuck</div><p id="text">Text</p>`;

test.each([
  ['a box that its label hides', '#styled', true, `styled.control.checked`],
  ['a radio button below the label of another', '#three', true, `three.checked`],
  ['a switch', '#switch', true, `switchedOn()`],
  ['what is not checked already', '#switch', false, `!switchedOn()`],
  ['a button that stays pressed', '#bold', false, `bold.ariaPressed === 'false'`],
  ['a box that only keys change', '#keyed', true, `keyed.ariaChecked === 'true'`],
])('sets %s', async (_, selector, checked, expression) => {
  await session.open(stage.page('/boxes', BOXES));
  await session.page().evaluate(`switchedOn = () => document.getElementById('switch').ariaChecked === 'true'`);
  await session.did([a('SET_CHECKED', { selector, checked }), a('SET_CHECKED', { selector, checked })]);
  expect(await session.page().evaluate(expression)).toBe(true);
});

test('uses a switch once that takes its time, and one that does nothing not again in another attempt', async () => {
  await session.open(stage.page('/boxes', BOXES));
  await session.did([a('SET_CHECKED', { selector: '#slow', checked: true })]);
  expect(await session.page().evaluate('[slow.dataset.clicks, slow.ariaChecked]')).toEqual(['1', 'true']);
  await session.did([a('SET_CHECKED', { selector: '#asks', checked: true })]);
  await session.page().evaluate('asks.checked = false');
  await session.did([a('SET_CHECKED', { selector: '#asks', checked: true })]);
  expect(await session.page().evaluate('[asks.dataset.clicks, asks.checked]')).toEqual(['2', true]);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { outcomes } = await session.run([a('SET_CHECKED', { selector: '#dead', checked: true })]);
    expect(outcomes).toMatchObject([
      { status: 'failed', message: expect.stringContaining('not clicked a second time') },
    ]);
  }
  expect(await session.page().evaluate('dead.dataset.uses')).toBe('1');
});

test.each([
  ['a switch that does not keep it', '#stuck', true, 'It is not checked after it was used.'],
  ['what has no such state', '#text', true, 'It does not say whether it is checked'],
])('does not set %s, and says so', async (_, selector, checked, message) => {
  await session.open(stage.page('/boxes', BOXES));
  const { outcomes } = await session.run([a('SET_CHECKED', { selector, checked })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX003', message: expect.stringContaining(message) }]);
});

test('the pointer stays where what it shows covers the element', async () => {
  const menu = `<div id="opener" style="width: 90px" onpointerenter="list.hidden = false; this.hidden = true">Layers</div>
    <div id="list" hidden style="position: absolute; top: 0; left: 0; padding: 40px">Satellite</div>`;
  await session.open(stage.page('/hover', menu));
  await session.did([a('HOVER', { selector: '#opener' }), a('EXPECT', { text: 'Satellite' })]);
  expect(await session.page().locator('#opener').isVisible()).toBe(false);
});

test('scrolls within an element that loads more of itself, until a text shows', async () => {
  await session.open(stage.page('/pointer', PAGE));
  await session.did([a('SCROLL_UNTIL', { selector: '#feed', text: 'Item 45' })]);
  // No limit decides that the end was reached.
  const atTheEnd = [a('SCROLL_UNTIL', { selector: '#feed', text: 'Item 99' })];
  const { outcomes } = await session.run(atTheEnd, { timeoutMs: 60_000 });
  expect(outcomes).toMatchObject([{ status: 'failed', message: '“Item 99” did not show by scrolling to the end.' }]);
});

test('scrolls within an element, to its end and back', async () => {
  await session.open(stage.page('/pointer', PAGE));
  const top = (): Promise<number> => session.page().evaluate(() => document.getElementById('feed')!.scrollTop);
  await session.did([a('SCROLL', { selector: '#feed', to: 'bottom' })]);
  expect(await top()).toBeGreaterThan(0);
  await session.did([a('SCROLL', { selector: '#feed', to: 'top' })]);
  expect(await top()).toBe(0);
});

test('opens a submenu under the pointer, where a click would choose the item itself', async () => {
  const menu = `<style>ul ul { display: none } li:hover > ul { display: block }</style>
    <ul role="menu"><li role="none"><div id="play" role="menuitem" aria-haspopup="true" onclick="log('play')">Playback</div>
    <ul role="menu"><li role="menuitem" onclick="log('prev')">Prev</li></ul></li></ul>`;
  await session.open(
    stage.page('/menu', `<title></title><script>const log = (text) => (document.title = text);</script>${menu}`),
  );
  await session.did([a('CHOOSE_MENU_ITEM', { selector: '#play', path: ['Prev'] })]);
  expect(await session.page().title()).toBe('prev');
});

test('goes to the tab that a click opens, opens and closes tabs, and loads a page again', async () => {
  const opened = stage.page(
    '/opened',
    '<script>document.title = performance.getEntriesByType("navigation")[0].type</script>',
  );
  await session.open(stage.page('/pointer', PAGE));
  await session.did([a('CLICK_ELEMENT', { selector: '#opens' })]);
  expect(session.page().url()).toBe(opened);
  await session.did([a('RELOAD_PAGE')]);
  expect(await session.page().title()).toBe('reload');
  await session.did([a('CLOSE_TAB'), a('EXPECT', { url: '/pointer' }), a('OPEN_TAB', { url: opened })]);
  expect(session.page().url()).toBe(opened);
  await session.did([a('CLOSE_TAB', { tab: '2' }), a('EXPECT', { url: '/pointer' })]);
});

test('the view, the place and the permissions hold for a worker that takes over', async () => {
  const page = stage.page(
    '/place',
    '<button onclick="navigator.geolocation.getCurrentPosition(({ coords }) => (document.title = coords.latitude))">Where</button>',
  );
  await session.open(page);
  await session.did([
    a('SET_VIEWPORT', { width: 500, height: 400 }),
    a('SET_GEOLOCATION', { latitude: 59.5, longitude: 10.5 }),
    a('SET_PERMISSIONS', { permissions: ['geolocation'] }),
  ]);
  await session.did([a('CLICK_ELEMENT', { selector: 'button' }), a('EXPECT', { title: '59.5' })], { worker: 'second' });
  expect(await session.page('second').evaluate('innerWidth')).toBe(500);
});
