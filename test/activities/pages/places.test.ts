/** Where things are: frames, tables as grids, order as people see it, and dialogs over dialogs. */
import { parseInstruction } from '../../../rules/language/parse-instruction';
import { indexPage } from '../../../rules/matching/page-index';
import { resolve } from '../../../rules/matching/resolve';
import { durableTarget, refIn } from '../../../rules/page-text/durable-target';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type StagedSession } from '../../support/browser-session';

let stage: BrowserStage;
let session: StagedSession;
let pages = 0;

beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

/** Runs what a step comes to on a page of this markup; the name of its refusal where it comes to nothing. */
async function step(html: string, ...instructions: string[]): Promise<string | undefined> {
  await session.open(stage.page(`/places-${(pages += 1)}`, html));
  for (const instruction of instructions) {
    const look = await session.look();
    const parsed = parseInstruction(instruction);
    if (parsed.kind === 'unknown') throw new Error(`not understood: ${parsed.clause}`);
    for (const action of parsed.actions) {
      const resolution = resolve(action, indexPage(look));
      if (resolution.kind !== 'commands') return resolution.kind;
      const drafts = resolution.commands.map(({ action: kind, parameters }) => {
        const ref = refIn(parameters.selector ?? '');
        const target = ref === undefined ? undefined : durableTarget(look, ref);
        return a(kind, { ...parameters, ...(target && { selector: target.selector }) }, target);
      });
      const { outcomes } = await session.run(drafts, { timeoutMs: 3000 });
      const bad = outcomes.find(({ status }) => status !== 'done');
      if (bad !== undefined) return `${bad.status}: ${JSON.stringify(bad)}`;
    }
  }
  return undefined;
}

const note = (): Promise<string | null> => session.page().textContent('#note');

describe('a frame is found by its element', () => {
  const form = (name: string): string =>
    stage.page(
      `/frame-${(pages += 1)}`,
      `<label>Coupon <input></label><button onclick="top.document.querySelector('#note').textContent = '${name} ' + document.querySelector('input').value">Redeem</button>`,
    );
  test.each([
    ['display: none', (other: string) => `<iframe src="${other}" style="display:none"></iframe>`],
    ['no address', () => '<iframe style="display:none"></iframe>'],
    ['visibility: hidden', (other: string) => `<iframe src="${other}" style="visibility:hidden"></iframe>`],
    ['no size', (other: string) => `<iframe src="${other}" width="0" height="0"></iframe>`],
    ['the shown one’s own document', (_: string, own: string) => `<iframe src="${own}" style="display:none"></iframe>`],
    ['several hidden ones', (other: string) => `<iframe src="${other}" hidden></iframe>`.repeat(3)],
  ])('with a frame before it that has %s', async (_, hidden) => {
    const [other, own] = [form('other'), form('shown')];
    const html = `<p id="note"></p>${hidden(other, own)}<iframe src="${own}" width="400" height="200"></iframe>`;
    expect(await step(html, 'Type "SPRING" into Coupon', 'Click "Redeem"')).toBeUndefined();
    expect(await note()).toBe('shown SPRING');
  });

  test('which a frame that comes before it does not change', async () => {
    const [other, own] = [form('other'), form('shown')];
    const coming = `<script>setTimeout(() => { const f = document.createElement('iframe'); f.src = '${other}'; document.body.prepend(f); window.isThere = true; })</script>`;
    await session.open(
      stage.page(`/places-${(pages += 1)}`, `<p id="note"></p><iframe src="${own}" width="400" height="200"></iframe>`),
    );
    const target = await session.target('button', 'Redeem');
    await session
      .page()
      .setContent(
        `<p id="note"></p><iframe src="${other}"></iframe><iframe src="${own}" width="400" height="200"></iframe>${coming}`,
      );
    await session.page().waitForFunction(() => 'isThere' in window);
    await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
    expect(await note()).toBe('shown ');
  });
});

describe('a table is a grid', () => {
  const STOCK = `<table border=1><thead><tr><th>Depot</th><th>Article</th><th>In stock</th><th>Reserved</th></tr></thead><tbody>
    <tr><td rowspan=3>North</td><td>Kettle</td><td>41</td><td>7</td></tr><tr><td>Lantern</td><td>18</td><td>3</td></tr>
    <tr><td>Stove</td><td>26</td></tr><tr><td rowspan=2>South</td><td>Tarp</td><td>90</td><td>12</td></tr>
    <tr><td>Rope</td><td>64</td><td>5</td></tr><tr><td colspan=2>All</td><td>239</td><td>27</td></tr></tbody></table>`;
  const STOREYS = `<table border=1><thead><tr><th rowspan=2>Team</th><th colspan=2>March</th><th colspan=2>April</th><th rowspan=2>Note</th></tr>
    <tr><th>Plan</th><th>Actual</th><th>Plan</th><th>Actual</th></tr></thead>
    <tbody><tr><td>Red</td><td>1</td><td>2</td><td>3</td><td>4</td><td>late</td></tr><tr><td>Blue</td><td>5</td><td>6</td><td>7</td><td>8</td><td>fine</td></tr></tbody></table>`;
  const INVOICES = `<table><tr><th></th><th>Invoice</th><th>Status</th><th></th></tr>
    <tr><td><input type=checkbox aria-label=choose></td><td>1003</td><td>Paid</td><td>x</td></tr>
    <tr><td><input type=checkbox aria-label=choose></td><td>1004</td><td>Open</td><td>y</td></tr></table>`;
  const TWO = `<h2>May</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>Cup</td><td>1</td></tr></table>
    <h2>June</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>Cup</td><td>2</td></tr></table>`;
  test.each([
    ['In stock of Kettle', STOCK, '41'],
    ['In stock of Lantern', STOCK, '18'],
    ['Reserved of Rope', STOCK, '5'],
    ['Depot of Lantern', STOCK, 'North'],
    ['Depot of Rope', STOCK, 'South'],
    ['In stock of All', STOCK, '239'],
    ['March Plan of Red', STOREYS, '1'],
    ['April Plan of Blue', STOREYS, '7'],
    ['Note of Blue', STOREYS, 'fine'],
    ['Status of invoice 1004', INVOICES, 'Open'],
    ['Status of 1003', INVOICES, 'Paid'],
  ])('the %s', async (what, html, value) => {
    expect(await step(html, `Save the ${what} as found`)).toBeUndefined();
    expect(await session.variable('found')).toBe(value);
  });

  test.each([
    ['a cell that is not there', 'Reserved of Stove', STOCK, 'absent'],
    ['a column of two headings', 'Plan of Red', STOREYS, 'several'],
    ['a row of two tables', 'Price of Cup', TWO, 'several'],
    ['a column of several rows', 'Reserved', STOCK, 'several'],
  ])('%s is never guessed', async (_, what, html, kind) => {
    expect(await step(html, `Save the ${what} as found`)).toBe(kind);
  });
});

test.each([
  ['that covers a namesake is chosen', '', 'Click OK', 'remove'],
  ['that leaves its namesake in reach is no reason to choose', 'bottom:50%', 'Click OK', 'several'],
  ['does not keep the page from what only it has in reach', 'bottom:50%', 'Click Save', 'save'],
])('a layer without a role %s', async (_, style, instruction, expected) => {
  const layer = (id: string, buttons: string, more: string): string =>
    `<div id="${id}" hidden style="position:fixed;inset:0;background:#fff;${more}"><h2>${id}</h2>${buttons}</div>`;
  const button = (name: string, what: string): string =>
    `<button onclick="note.textContent = '${what}'">${name}</button>`;
  const html = `<p id="note"></p><button onclick="lower.hidden = upper.hidden = false">Edit</button>
    ${layer('lower', `${button('OK', 'save')} ${button('Save', 'save')}`, 'padding-top:60vh')}
    ${layer('upper', button('OK', 'remove'), style)}`;
  expect((await step(html, 'Click Edit', instruction)) ?? (await note())).toBe(expected);
});

describe('an ordinal counts as seen', () => {
  const button = (name: string): string =>
    `<button onclick="document.querySelector('#note').textContent = '${name}'">Accept</button>`;
  const ROWS = `<p id="note"></p><div role="table" style="position:relative;height:200px">${[
    ['Cleo', 2],
    ['Ada', 0],
    ['Dov', 3],
    ['Bea', 1],
  ]
    .map(
      ([name, at]) =>
        `<div role="row" style="position:absolute;top:${40 * Number(at)}px;height:40px;left:0;width:400px"><span role="cell">${name}</span> ${button(String(name))}</div>`,
    )
    .join('')}</div>`;
  const list = (style: string, item = ''): string =>
    `<p id="note"></p><ul style="list-style:none;${style}">${['Zoe', 'Yan', 'Xia'].map((name, at) => `<li style="${item.replaceAll('N', String(9 - at))}"><span>${name}</span> ${button(name)}</li>`).join('')}</ul>`;
  test.each([
    ['first Accept button', ROWS, 'Ada'],
    ['last Accept button', ROWS, 'Dov'],
    ['second Accept button', ROWS, 'Bea'],
    ['Accept in the first row', ROWS, 'Ada'],
    ['Accept in the row of Dov', ROWS, 'Dov'],
    ['first Accept button', list('display:flex;flex-direction:column-reverse'), 'Xia'],
    ['last Accept button', list('display:flex;flex-direction:row-reverse'), 'Zoe'],
    ['first Accept button', list('display:grid', 'order:N'), 'Xia'],
    ['first Accept button', list('display:grid', 'grid-row:N'), 'Xia'],
    ['first Accept button', list('', 'transform:translateY(calc(N * 60px))'), 'Xia'],
    ['first Accept button', list('display:flex;flex-direction:column'), 'Zoe'],
    ['first Accept button', list('columns:2'), 'Zoe'],
  ])('the %s', async (what, html, name) => {
    expect(await step(html, `Click ${/ in /.test(what) ? what : `the ${what}`}`)).toBeUndefined();
    expect(await note()).toBe(name);
  });
});

describe('a dialog under a modal one is out of reach', () => {
  const send = (what: string): string => `onclick="document.querySelector('#note').textContent = '${what}'"`;
  const dialogs = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) =>
        `<dialog id=d${at} style="margin-top:${10 + at * 10}px"><h2>Level ${at}</h2><p>${'text '.repeat(40)}</p><button>Cancel</button><button ${send(`ok ${at}`)}>OK</button></dialog>`,
    ).join('');
  const open = (ids: readonly number[]): string =>
    `<script>${ids.map((id) => `d${id}.showModal();`).join('')}</script>`;
  test.each([
    ['two', 2, [0, 1], 'ok 1'],
    ['two, the upper one first in the document', 2, [1, 0], 'ok 0'],
    ['three', 3, [0, 2, 1], 'ok 1'],
    ['one', 2, [0], 'ok 0'],
  ])('of %s', async (_, count, ids, noted) => {
    const html = `<div id="note"></div>${dialogs(count)}${open(ids)}`;
    expect(await step(html, 'Click "OK"')).toBeUndefined();
    expect(await note()).toBe(noted);
  });
});
