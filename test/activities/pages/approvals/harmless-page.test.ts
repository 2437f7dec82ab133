/** What moves on a page by itself, and what nobody decides on, asks nobody a second time. */
import { asApproved, captureView } from '../../../../activities/browser/approval-view/capture-view';
import { createSessionValues } from '../../../../activities/secrets/session-values';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import { openBrowserStage, type BrowserStage } from '../../../support/browser-harness';
import { IS_LONG_RUN } from '../../../support/long-run';
import type { StagedSession } from '../../../support/browser-session';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
  await session.acquire();
}, 60_000);
afterAll(() => stage.stop());

const PAY: PlannedCommand = { commandId: 'pay', action: 'CLICK_ELEMENT', parameters: { selector: 'form button' } };
const EVERY = 'setInterval(() => tick(), 150)';
const CLOCK = `globalThis.at = 0; const tick = () => { at += 1; const text = new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString().slice(11, 19);
  for (const each of document.querySelectorAll('.clock')) each.textContent = text }; tick(); ${EVERY}`;
const SPIN =
  '<style>@keyframes turn { to { transform: rotate(1turn) } } .spin { width: 20px; height: 20px; border: 4px solid #ccc; border-top-color: #000; border-radius: 50%; animation: turn 1s linear infinite }</style><div class="spin"></div>';
const ADVERTISEMENTS = JSON.stringify([
  '<b>Save 20 percent</b> on shoes',
  '<i>Win 1000 coins</i>',
  'Only 3 left',
  '<b>Now with 15 years of <u>warranty</u></b>',
]);
const random = `globalThis.token = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, '0')).join('');`;

/** What is in the form and beside it, the script of the page, and what is done before each look at it. */
interface Kind {
  kind: string;
  inside?: string;
  outside?: string;
  script?: string;
  act?: string;
}

const KINDS: readonly Kind[] = [
  { kind: 'a clock beside the form', outside: '<p class=clock></p>', script: CLOCK },
  { kind: 'a clock in the form', inside: '<p>Now <b class=clock></b></p>', script: CLOCK },
  { kind: 'a timer in the form', inside: '<p>Ends in <b class=clock role=timer></b></p>', script: CLOCK },
  {
    kind: 'a timer of minutes',
    inside: '<p role=timer>5 min left</p>',
    act: `document.querySelector('[role=timer]').textContent = '4 min left'`,
  },
  { kind: 'something that turns in the form', inside: SPIN },
  { kind: 'something that turns beside it', outside: SPIN },
  {
    kind: 'advertisements',
    outside: '<aside><div id=ad></div></aside>',
    script: `const texts = ${ADVERTISEMENTS}; let at = 0; const tick = () => { ad.innerHTML = texts[at++ % texts.length] }; tick(); ${EVERY}`,
  },
  {
    kind: 'advertisements in a frame',
    outside: '<iframe></iframe>',
    script: `const texts = ${ADVERTISEMENTS}; let at = 0; const tick = () => { document.querySelector('iframe').contentDocument.body.innerHTML = '<div><p>' + texts[at++ % texts.length] + '</p></div>' }; tick(); ${EVERY}`,
  },
  {
    kind: 'a carousel',
    outside: '<ul id=list><li>Beans 250 g<li>Rice 1 kg<li>Tea 100 bags</ul>',
    script: `const tick = () => list.append(list.firstChild); ${EVERY}`,
  },
  {
    kind: 'a token that is drawn anew all the time',
    inside: '<input type=hidden name=csrf_token>',
    script: `${random} const tick = () => { document.forms[0].csrf_token.value = token() }; tick(); ${EVERY}`,
  },
  {
    kind: 'a nonce under another name',
    inside: '<input type=hidden name=check>',
    script: `${random} const tick = () => { document.forms[0].check.value = token() }; tick(); ${EVERY}`,
  },
  {
    kind: 'a token of a page that was loaded anew',
    inside: '<input type=hidden name=authenticity_token>',
    script: `${random} document.forms[0].authenticity_token.value = token()`,
    act: 'location.reload()',
  },
  {
    kind: 'the focus',
    act: `{ const all = [...document.forms[0].elements]; globalThis.at = ((globalThis.at ?? 0) + 1) % all.length; all[at].focus() }`,
  },
  {
    kind: 'a form that is drawn anew with the same',
    act: `{ const form = document.forms[0]; form.outerHTML = form.outerHTML }`,
  },
  {
    kind: 'a count of visitors',
    outside: '<p><b id=count>12</b> people look at this</p>',
    script: `let at = 12; const tick = () => { if (at < 20) count.textContent = ++at; else at = 11 }; ${EVERY}`,
  },
  {
    kind: 'reports of a script',
    script: `const tick = () => fetch('/seen', { method: 'POST', body: String(performance.now()) }).catch(() => {}); ${EVERY}`,
  },
  {
    kind: 'a notice without a number',
    outside: '<div id=notices></div>',
    act: `notices.textContent = notices.textContent === '' ? 'Saved.' : ''`,
  },
  {
    kind: 'classes and styles of the same look',
    inside: '<p id=note>Thanks</p>',
    act: `{ note.className = 'c' + Math.random(); note.dataset.seen = 'yes' }`,
  },
  {
    kind: 'a bar that grows',
    outside:
      '<style>@keyframes grow { to { width: 200px } } .bar { width: 1px; height: 8px; background: #080; animation: grow 2s infinite }</style><div class="bar"></div>',
  },
  {
    kind: 'a page that is scrolled',
    outside: '',
    script: `document.body.append(Object.assign(document.createElement('div'), { style: 'height: 3000px' }))`,
    act: `scrollTo(0, scrollY === 0 ? 40 : 0)`,
  },
];
/** So many in all, of all kinds. */
const LEAST = IS_LONG_RUN ? 300 : 100;
const ACTS = Math.ceil(LEAST / KINDS.length);

const asked: string[] = [];

test.each(KINDS)(
  'nobody is asked again because of $kind',
  async ({ kind, inside = '', outside = '', script = '', act = '' }) => {
    const html = `<!doctype html><title>Shop</title><h1>Shop</h1>${outside}<form method=post action=/pay><p>You pay <b>10 EUR</b></p>
    ${inside}<input type=hidden name=amount value=10><label>For <input name=purpose value=beans></label><button>Pay</button></form>
    <script>{ ${script} }</script>`;
    await session.open(stage.page('/payment', html));
    const values = createSessionValues([], {});
    const context = { store: stage.store, sessionId: session.sessionId, attachment: session.attachment(), values };
    const { page } = context.attachment;
    const view = await captureView(context, PAY);
    if (view === undefined || view === 'missing') throw new Error(`Expected a view, got ${view}.`);
    let again = 0;
    for (let number = 0; number < ACTS; number += 1) {
      const reloads = act.includes('reload');
      await Promise.all([reloads ? page.waitForEvent('load') : undefined, page.evaluate(act)]);
      if ((await asApproved(context, PAY, view.digest)) === undefined) again += 1;
    }
    for (let number = 0; number < again; number += 1) asked.push(kind);
    expect(again).toBe(0);
  },
);

test('of all harmless acts at most 2 in 100 ask again', () => {
  expect(KINDS.length * ACTS).toBeGreaterThanOrEqual(LEAST);
  expect(asked.length).toBeLessThanOrEqual((KINDS.length * ACTS * 2) / 100);
});
