/** Whether a click did anything, where the page changes by itself: the whole step with `rules` on pages in a real Chrome. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endOfStep } from '../../support/step-by-rules';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import type { StagedSession } from '../../support/browser-session';
import { everyNth } from '../../support/long-run';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

const endOf = (instruction: string) => endOfStep(session, instruction);

/** Words, figures or a picture that are others at every look. */
const CLOCK = `<p id=clock></p><script>setInterval(() => clock.textContent = Math.round(performance.now()) + ' ms', 20)</script>`;
const CAROUSEL = `<p id=slide></p><script>
  let turn = 0;
  const word = (n) => (n < 26 ? '' : word(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));
  setInterval(() => slide.textContent = 'On to ' + word(turn++), 20);
</script>`;
const GALLERY = `<canvas id=gallery width=200 height=100></canvas><script>
  let hue = 0;
  setInterval(() => { const c = gallery.getContext('2d'); c.fillStyle = 'hsl(' + (hue += 17) + ' 90% 50%)'; c.fillRect(0, 0, 200, 100); }, 20);
</script>`;
const LIVE = `<button onclick="said.textContent = 'Kept'">Keep</button><p id=said>Draft</p>`;
const DEAD = '<button onclick="void 0">Keep</button>';
const REVERTED = `<button onclick="said.textContent = 'Kept'; queueMicrotask(() => said.textContent = 'Draft')">Keep</button><p id=said>Draft</p>`;
const REVERTED_LATER = `<button onclick="said.textContent = 'Kept'; setTimeout(() => said.textContent = 'Draft', 30)">Keep</button><p id=said>Draft</p>`;
/** The carousel is the only text that the page draws anew, as a framework does that compares nothing. */
const REWRITTEN = CAROUSEL.replace(
  '<p',
  `<button onclick="slide.textContent = slide.textContent + ''">Keep</button><p`,
);
const REWRITTEN_CLOCK = `<p id=clock></p><button onclick="tick()">Keep</button><script>
  const tick = () => clock.textContent = 'It is 12:00:' + Math.round(performance.now());
  tick();
  setInterval(tick, 20);
</script>`;
const HIDDEN = `<button onclick="count.textContent = +count.textContent + 1">Keep</button><p id=count hidden>0</p>`;
const REDRAWN = `<div><canvas id=board width=90 height=90></canvas><button id=keep>Keep</button></div><script>
  const pen = board.getContext('2d');
  keep.onclick = () => { pen.fillRect(9, 9, 50, 50); setTimeout(() => pen.clearRect(0, 0, 90, 90), 30); };
</script>`;
/** A click of a script is no click of the session. */
const CLICKED_BY_TIMER = `${DEAD}<button id=next onclick="slide.textContent = Math.random().toString(36)">Next</button><p id=slide></p>
  <script>setInterval(() => next.click(), 20)</script>`;

test.each([
  ['does nothing beside a clock', DEAD + CLOCK, 'changes only by itself'],
  ['does nothing beside a carousel of words', DEAD + CAROUSEL, 'changes only by itself'],
  ['does nothing beside a carousel of pictures', `<div>${DEAD}${GALLERY}</div>`, 'changes only by itself'],
  ['is taken back at once', REVERTED, 'reads as before'],
  ['is taken back at once, beside a clock', REVERTED + CLOCK, 'changes only by itself'],
  ['is taken back in a moment', REVERTED_LATER, 'reads as before'],
  ['is taken back in a moment, beside a clock', REVERTED_LATER + CLOCK, 'changes only by itself'],
  ['is taken back in a moment, beside a carousel', REVERTED_LATER + CAROUSEL, 'changes only by itself'],
  ['writes the same words again, beside a carousel', REWRITTEN, 'changes only by itself'],
  ['brings a clock up to date', REWRITTEN_CLOCK, 'changes only by itself'],
  ['changes what is hidden, beside a clock', HIDDEN + CLOCK, 'changes only by itself'],
  ['draws what is taken back in a moment', REDRAWN, 'reads as before'],
  ['is noticed by a timer that makes the page click', CLICKED_BY_TIMER, 'changes only by itself'],
])('a click that %s completes no step', async (name, html, message) => {
  await session.open(stage.page(`/dead/${name.replaceAll(/\W+/g, '-')}`, html));
  expect(await endOf('click Keep')).toMatchObject({ action: 'ABORT', message: expect.stringContaining(message) });
});

/** What changes once, away from the control, when Keep is clicked: a carousel would change the page as little. */
const ONCE: [what: string, html: string][] = [
  ['a counter', `<button onclick="likes.textContent = '1 like'">Keep</button><p id=likes>0 likes</p>`],
  [
    'a badge of a link',
    `<a href="#cart">Cart <b id=badge>1</b></a><button onclick="badge.textContent = 2">Keep</button>`,
  ],
  ['a text', LIVE],
  ['a text by a click that goes no further', LIVE.replace('onclick="', 'onclick="event.stopPropagation(); ')],
  [
    'a text, in a microtask',
    LIVE.replace('onclick="', 'onclick="Promise.resolve().then(() => {}).then(() => ').replace("Kept'", "Kept')"),
  ],
  [
    'a text in a list that is written anew',
    `<ul id=list><li>One</li><li>Draft</li></ul><button onclick="list.innerHTML = '<li>One</li><li>Kept</li>'">Keep</button>`,
  ],
  ['a text as soon as it is pressed', LIVE.replace('onclick', 'onpointerdown')],
  [
    'a text, by a form that is sent',
    `<form onsubmit="event.preventDefault(); said.textContent = 'Kept'"><button>Keep</button></form><p id=said>Draft</p>`,
  ],
  [
    'the state of another control',
    `<button aria-pressed=false id=other>Mute</button><button onclick="other.setAttribute('aria-pressed', true)">Keep</button>`,
  ],
  [
    'the value of a field',
    `<label>Count <input id=field value=1></label><button onclick="field.value = 2">Keep</button>`,
  ],
  ['a box', `<label><input type=checkbox id=box> All of it</label><button onclick="box.checked = true">Keep</button>`],
  [
    'a picture',
    `<div><img id=picture alt=Sketch width=90 height=90 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>">
     <button onclick="picture.src = picture.src.replace(`.concat("/'9'/g, &quot;'8'&quot;", `)">Keep</button></div>`),
  ],
  [
    'a drawing',
    `<div><svg width=90 height=90><circle id=dot cx=20 cy=20 r=9 /></svg>
     <button onclick="dot.setAttribute('cx', 60)">Keep</button></div>`,
  ],
  [
    'a canvas',
    `<div><canvas id=board width=90 height=90></canvas>
     <button onclick="board.getContext('2d').fillRect(9, 9, 50, 50)">Keep</button></div>`,
  ],
  [
    'the canvas that is clicked',
    `<canvas id=board role=button aria-label=Keep width=90 height=90 onclick="board.getContext('2d').fillRect(9, 9, 50, 50)"></canvas>`,
  ],
  [
    'a text in a shadow tree',
    `<x-said></x-said><button onclick="document.querySelector('x-said').say('Kept')">Keep</button>
     <script>customElements.define('x-said', class extends HTMLElement {
       connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>Draft</p>'; }
       say(text) { this.shadowRoot.firstChild.textContent = text; }
     })</script>`,
  ],
  ['a text in the frame of the control', `<iframe title=Inner srcdoc="${LIVE.replaceAll('"', '&quot;')}"></iframe>`],
];

test.each(everyNth(2, ONCE))('a click that changes %s completes its step without a second look', async (what, html) => {
  await session.open(stage.page(`/once/${what.replaceAll(/\W+/g, '-')}`, html));
  expect(await endOf('click Keep')).toMatchObject({ action: 'PROCEED', looks: 0 });
});

test.each(ONCE.slice(0, 3))('nor does one that changes %s beside a clock and a carousel', async (what, html) => {
  await session.open(stage.page(`/once-beside/${what.replaceAll(/\W+/g, '-')}`, html + CLOCK + CAROUSEL));
  expect(await endOf('click Keep')).toMatchObject({ action: 'PROCEED', looks: 0 });
});

test('a click whose effect comes later is looked at again', async () => {
  const later = LIVE.replace('onclick="', 'onclick="setTimeout(() => ').replace("Kept'", "Kept', 20)");
  await session.open(stage.page('/later', later));
  expect(await endOf('click Keep')).toMatchObject({ action: 'PROCEED', looks: 2 });
});

test('a click whose request has no answer for long did something, and is no evidence of the next command', async () => {
  const silent = createServer((request, response) => {
    if (request.method !== 'POST')
      response.end(
        "<!doctype html><title>Slow</title><button onclick=\"fetch('/kept', { method: 'POST' })\">Keep</button>",
      );
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    await session.open(url);
    expect(await endOf('click Keep')).toMatchObject({ action: 'PROCEED' });
    expect((await session.lastEntry()).evidence).toMatchObject({ requests: [{ method: 'POST', url: `${url}/kept` }] });
    await session.did([{ action: 'HOVER', parameters: { selector: 'button' } }]);
    silent.closeAllConnections();
    await session.did([{ action: 'EXPECT', parameters: { title: 'Slow' } }]);
    expect((await session.lastEntry()).evidence).toMatchObject({ requests: [] });
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
