import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  const uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
  writeFileSync(join(uploads, 'note.txt'), 'hello');
  stage = await openBrowserStage({ uploads });
  session = await stage.newSession();
});
afterAll(() => stage.stop());

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

test('scrolls within an element that loads more of itself, until a text shows', async () => {
  await session.open(stage.page('/pointer', PAGE));
  await session.did([a('SCROLL_UNTIL', { selector: '#feed', text: 'Item 45' })]);
  const { outcomes } = await session.run([a('SCROLL_UNTIL', { selector: '#feed', text: 'Item 99' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', message: '“Item 99” did not show by scrolling to the end.' }]);
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
