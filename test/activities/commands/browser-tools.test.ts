import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolRegistry } from '../../../activities/engine/tools/port';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import type { StagedSession } from '../../support/browser-session';
import { aToolRegistry } from '../../support/engine-tools';
import { refOf, toolCaller } from '../../support/tool-caller';

let stage: BrowserStage;
let toolRegistry: ToolRegistry;
const uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
beforeAll(async () => {
  stage = await openBrowserStage({ uploads });
  toolRegistry = aToolRegistry(stage.store, [], stage.env).toolRegistry;
});
afterAll(async () => {
  await stage.stop();
  rmSync(uploads, { recursive: true, force: true });
});

const driven = (session: StagedSession) => ({ session, call: toolCaller(session, toolRegistry) });

/** For all that leave nothing behind; one caller, because it counts the turns of the session. */
let shared: ReturnType<typeof driven> | undefined;
let pages = 0;
async function opened(html: string, own?: typeof shared) {
  const used = own ?? (shared ??= driven(await stage.newSession()));
  await used.call('navigate', { url: stage.page(`/tools-${(pages += 1)}`, html) });
  return used;
}

test('a page is read, filled and used by its refs, and each call has a start and an end record', async () => {
  const { session, call } = await opened(`
    <h1>Sign up</h1><label>Name <input></label><label><input type=checkbox>News</label>
    <label>Size <select><option>S<option>M</select></label>
    <button onclick="document.body.append(document.querySelector('input').value + ' ' + document.querySelector('select').value + ' ' + document.querySelector('[type=checkbox]').checked)">Next</button>`);
  const page = await call('read_page', {});
  expect(page.text).toMatch(/heading "Sign up"/);
  const only = await call('read_page', { filter: 'interactive' });
  expect(only.text).not.toMatch(/Sign up/);
  await call('form_input', { ref: refOf(page.text, 'Name'), value: 'Ada' });
  await call('form_input', { ref: refOf(page.text, 'News'), value: true });
  const chosen = await call('form_input', { ref: refOf(page.text, 'Size'), value: 'M' });
  expect(chosen.text).toBe('Chose “M” in the combobox “Size”.');
  const clicked = await call('computer', { action: 'left_click', ref: refOf(page.text, 'Next') });
  expect(clicked.text).toBe('Clicked the button “Next”.');
  expect((await call('get_page_text', {})).text).toContain('Ada M true');

  const facts = (await session.log()).flatMap((record) => record.facts ?? []);
  const ofClick = facts.filter((each) => 'callId' in each && each.callId === clicked.planned.callId);
  expect(ofClick).toMatchObject([
    { kind: 'call', toolName: 'computer', args: { action: 'left_click' } },
    { kind: 'result', toolName: 'computer', summary: 'Clicked the button “Next”.', text: 'Clicked the button “Next”.' },
  ]);
});

test('elements are found by their purpose, and a ref of the previous page is refused', async () => {
  const { session, call } = await opened(
    '<input type=search aria-label="Search the shop"><button>Search</button><a href="/next">Help</a>',
  );
  const found = await call('find', { query: 'the search field' });
  expect(found.text.split('\n')[1]).toMatch(/searchbox "Search the shop"/);
  const ref = refOf(found.text, 'Search the shop');
  await call('navigate', { url: stage.page(`/other-${session.sessionId}`, '<button>Delete all</button>') });
  const late = await call('computer', { action: 'left_click', ref });
  expect(late.text).toMatch(/read the page again/);
  expect((await call('find', { query: 'a unicorn' })).text).toMatch(/Nothing on .* matches “a unicorn”/);
});

test('equal buttons are distinguished by their rows, cards and headings, when found, listed and clicked', async () => {
  const row = (name: string) => `<tr><td>${name}</td><td>5 EUR</td><td><button>Remove</button></td></tr>`;
  const card = (plan: string) => `<div><h3>${plan}</h3><p>For you</p><button>Choose</button></div>`;
  const names = Array.from({ length: 20 }, (_, index) => `Bean ${index}`);
  const { call } = await opened(`
    <table>${names.map(row).join('')}</table>
    <section>${card('Basic')}${card('Pro')}</section>
    <button style="position:fixed; left:5px; top:5px">Below</button>
    <div style="position:fixed; inset:0 50% 90% 0; background:white" id=cookies>Cookies?</div>`);
  const found = await call('find', { query: 'the Remove button of Bean 17' });
  expect(found.text).toMatch(/- button "Remove" \[ref=\w+\].* \(in Bean 17 \| 5 EUR/);
  const only = await call('read_page', { filter: 'interactive' });
  for (const name of names) expect(only.text).toContain(`"${name} | 5 EUR"`);
  expect(only.text).toMatch(/"Pro \| For you"[^\n]*\n(?:[^\n]*\n)?\s*- button "Choose"/);
  expect(only.text).toMatch(/button "Below" \[ref=\w+\][^\n]*covered/);
  const ref = /"Bean 3 \| 5 EUR"[\s\S]*?button "Remove" \[ref=(\w+)\]/.exec(only.text)![1]!;
  expect((await call('computer', { action: 'left_click', ref })).text).toContain(
    'Clicked the button “Remove” (in “Bean 3 | 5 EUR”).',
  );
});

test('a failed command is reported as an error, with what to do', async () => {
  const { call } = await opened('<button onclick="this.remove()">Once</button>');
  const page = await call('read_page', {});
  const click = { action: 'left_click', ref: refOf(page.text, 'Once') };
  await call('computer', click);
  const again = await call('computer', click);
  expect(again.text).toMatch(/^Error: There is no button “Once” on .*Take a new snapshot of the page\.$/);
});

test('the model gets screenshots of the view and of a region', async () => {
  const { call } = await opened('<h1 style="height: 3000px">Tall</h1>');
  const whole = await call('computer', { action: 'screenshot' }, { screenshotsEnabled: true });
  expect(whole.parts[1]).toMatchObject({ kind: 'image', mediaType: 'image/png' });
  expect(whole.text).toMatch(/1280 x 800 pixels/);
  const part = await call('computer', { action: 'zoom', region: [0, 0, 100, 50] }, { screenshotsEnabled: true });
  expect(part.text).toMatch(/200 x 100 pixels/);
});

test('what has no ref is used by its coordinates: click, double click, drag, scroll, hover, keys', async () => {
  const { call } = await opened(`
    <style>body{margin:0} #map{width:300px;height:300px;background:#eee} #list{height:100px;overflow:auto;width:300px}</style>
    <div id=map></div><div id=list><div style="height:2000px">long</div></div><textarea></textarea>
    <script>
      window.log = [];
      for (const kind of ['click', 'dblclick', 'contextmenu', 'mouseup', 'mouseover'])
        map.addEventListener(kind, (event) => log.push(kind + (event.shiftKey ? '+shift' : '')));
    </script>`);
  const logged = async () => (await call('javascript_tool', { expression: 'log.splice(0).join()' })).text;
  const dragged = await call('computer', {
    action: 'left_click_drag',
    start_coordinate: [400, 290],
    coordinate: [100, 100],
  });
  expect(dragged.text).toBe('Dragged from 400, 290 to 100, 100.');
  expect(await logged()).toMatch(/mouseover.*mouseup/);
  await call('computer', { action: 'left_click', coordinate: [50, 50], modifiers: 'shift' });
  expect(await logged()).toMatch(/click\+shift/);
  await call('computer', { action: 'double_click', coordinate: [50, 50] });
  expect(await logged()).toMatch(/dblclick/);
  await call('computer', { action: 'right_click', coordinate: [50, 50] });
  expect(await logged()).toMatch(/contextmenu/);
  await call('computer', { action: 'scroll', coordinate: [50, 350], scroll_amount: 4 });
  const scrolled = await call('javascript_tool', {
    expression:
      'return new Promise((done) => { const look = () => list.scrollTop > 0 ? done(list.scrollTop) : requestAnimationFrame(look); look(); })',
  });
  expect(Number(scrolled.text)).toBeGreaterThan(0);
  await call('computer', { action: 'left_click', coordinate: [20, 410] });
  await call('computer', { action: 'type', text: 'hello' });
  await call('computer', { action: 'key', text: 'Backspace' });
  expect((await call('javascript_tool', { expression: 'document.querySelector("textarea").value' })).text).toBe('hell');
});

test('scripts return values of every kind, and one that throws, or never ends, is an error', async () => {
  const { session, call } = await opened(
    '<meta http-equiv="content-security-policy" content="script-src \'none\'"><p>x</p>',
    driven(await stage.newSession()),
  );
  const run = async (expression: string) => (await call('javascript_tool', { expression })).text;
  expect(await run('1 + 1')).toBe('2');
  expect(await run('({a: [1, {b: 2}], f() {}})')).toBe('{"a":[1,{"b":2}],"f":"[function]"}');
  expect(await run('document.querySelector("p")')).toBe('<p>x</p>');
  expect(await run('const x = 5; return x * 2')).toBe('10');
  expect(await run('await Promise.resolve("later")')).toBe('later');
  expect(await run('undefined')).toBe('undefined');
  expect(await run('"x".repeat(200000)')).toHaveLength(50_000);
  expect(await run('missing()')).toMatch(/^Error: The script threw: ReferenceError: missing is not defined/);
  const { planned } = await call('javascript_tool', { expression: '1' });
  const command = planned.run.kind === 'browser' ? planned.run.command : undefined;
  const endless = { ...command!, commandId: 'endless', parameters: { script: 'for (;;) {}' } };
  const { outcomes } = await session.run([endless], { timeoutMs: 500 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX003' }]);
  expect(await run('"still " + "here"')).toBe('still here');
});

test.each([
  ['goes on after it', 'await new Promise((resolve) => setTimeout(resolve, 60000))'],
  [
    'returns what the page has lost',
    'await new Promise((resolve) => addEventListener("pagehide", resolve)); document.body',
  ],
])('a script that leaves its page and %s is never recorded as one that did nothing', async (_what, rest) => {
  const { session, call } = await opened('<p>before</p>', driven(await stage.newSession()));
  const after = stage.page(`/after-${session.sessionId}`, '<p>after');
  const expression = `await fetch("/left-${session.sessionId}", { method: 'POST' }); location.href = ${JSON.stringify(after)}; ${rest}`;
  const { planned, text } = await call('javascript_tool', { expression });
  const { commandId } = planned.run.kind === 'browser' ? planned.run.command : { commandId: '' };
  const [entry] = await stage.store.journal.find(session.sessionId, [commandId]);
  expect(entry).toMatchObject({ status: 'unknown', evidence: { kind: 'unobserved', isDocumentGone: true } });
  expect(text).toContain(`POST ${new URL(after).origin}/left-${session.sessionId}`);
  expect(session.page().url()).toBe(after);
});

test('tabs are listed and gone to, and the history is walked both ways', async () => {
  const { session, call } = await opened('<a target=_blank href="/parts">Second</a>');
  const first = session.page().url();
  await call('navigate', { url: stage.page(`/two-${session.sessionId}`, '<p>two') });
  expect((await call('navigate', { url: 'back' })).text).toMatch(/^Went back\. The page is now “\/tools-/);
  expect(session.page().url()).toBe(first);
  expect((await call('navigate', { url: 'forward' })).text).toMatch(/^Went forward\. The page is now “\/two-/);
  expect((await call('navigate', { url: 'forward' })).text).toMatch(/^Error: There is no page to go forward to/);
  expect((await call('tabs', {})).text).toMatch(/^1 \(this one\): \/two-/);
});

test('only files of the upload folder are uploaded, by their plain names', async () => {
  writeFileSync(join(uploads, 'cv.txt'), 'I can');
  symlinkSync('/etc/hostname', join(uploads, 'link.txt'));
  writeFileSync(join(uploads, '.env'), 'KEY=1');
  const { call } = await opened(`<label>CV <input type=file></label><p id=got></p>
    <script>document.querySelector('input').onchange = async (e) => got.textContent = await e.target.files[0].text()</script>`);
  const ref = refOf((await call('read_page', {})).text, 'CV');
  const given = await call('upload', { ref, files: ['cv.txt'] });
  expect(given.text).toBe('Gave cv.txt to the button “CV”.');
  expect((await call('wait', { text: 'I can', seconds: 10 })).text).toBe('“I can” is there.');
  for (const [file, why] of [
    ['../secret', /no plain file name/],
    ['/etc/passwd', /no plain file name/],
    ['.env', /no plain file name/],
    ['link.txt', /no file “link.txt”/],
    ['missing.txt', /no file “missing.txt”/],
  ] as const)
    expect((await call('upload', { ref, files: [file] })).text).toMatch(why);
});

test('a button that asks for a handle of a file (showOpenFilePicker) is given the file', async () => {
  writeFileSync(join(uploads, 'cv.txt'), 'I can');
  const read = `([handle]) => handle.getFile().then(async (file) => (said.textContent = file.name + ': ' + (await file.text())))`;
  const page = `<button onclick="showOpenFilePicker().then(${read})">Attach</button><p id=said></p>`;
  const session = await stage.newSession();
  await session.open(stage.page('/picker', page));
  expect(
    await session.did([
      a('UPLOAD_FILE', { selector: 'role=button', files: ['cv.txt'] }),
      a('EXPECT', { text: 'cv.txt: I can' }),
    ]),
  ).toMatchObject({ isInterrupted: false });
});

test('an uploaded file is given by its id, and the site gets it under its own name', async () => {
  const { call } = await opened(`<label>CV <input type=file></label><p id=got></p>
    <script>document.querySelector('input').onchange = async (e) =>
      got.textContent = e.target.files[0].name + ' says ' + await e.target.files[0].text()</script>`);
  const content = Buffer.from('I can');
  const { row } = await stage.store.uploads.save({ name: 'Ada Ü.txt', mediaType: 'text/plain', content });
  const ref = refOf((await call('read_page', {})).text, 'CV');
  expect((await call('upload', { ref, files: [row.fileId] })).text).toMatch(/^Gave file_/);
  expect((await call('wait', { text: 'Ada Ü.txt says I can', seconds: 10 })).text).toMatch(/is there/);

  await stage.store.uploads.remove(row.fileId);
  const gone = await call('upload', { ref, files: [row.fileId] });
  expect(gone.text).toMatch(/There is no uploaded file file_\w+: it was deleted, or has expired/);
});

test('a file is downloaded by its link, button or address, and saved as an artifact', async () => {
  const { session, call } = await opened(
    '<a download="prices.csv" href="data:text/csv,lamp;12%0Adesk;80">Prices</a><a href="#">Nothing</a>',
  );
  const page = await call('read_page', {});
  const got = await call('download', { ref: refOf(page.text, 'Prices') });
  expect(got.text).toMatch(/^Downloaded “prices.csv”, 15 bytes, stored as file (\S+)\.\nIt begins:\nlamp;12\ndesk;80$/);
  const id = /file (\S+)\.\n/.exec(got.text)![1]!;
  const row = await stage.store.artifacts.get(session.sessionId, id);
  expect(row).toMatchObject({ kind: 'download', facts: { fileName: 'prices.csv' } });
  expect((await stage.store.artifacts.read(row!)).toString()).toBe('lamp;12\ndesk;80');
});

test('data is read by the names of its fields: rows of a table, items of a list, and single facts', async () => {
  const { call } = await opened(`
    <h1>Order 17</h1><dl><dt>Customer</dt><dd>Ada</dd></dl><p>Total: 1.234,50 €</p>
    <table><tr><th>Product<th>Unit price<th>In stock<tr><td>Lamp<td>$12.50<td>yes<tr><td>Desk<td>$1,080<td>no</table>
    <ul><li class=hit><h3>Red tent</h3><span class=price>$99</span></li><li class=hit><h3>Blue tent</h3><span class=price>$89</span></li></ul>`);
  const read = async (args: Record<string, unknown>) => (await call('extract', args)).text;
  const table = await read({
    rows: true,
    fields: [{ name: 'product' }, { name: 'unitPrice', type: 'number' }, { name: 'inStock', type: 'boolean' }],
  });
  expect(table).toMatch(/^2 rows\./);
  expect(JSON.parse(table.slice(table.indexOf('[')))).toEqual([
    { product: 'Lamp', unitPrice: 12.5, inStock: true },
    { product: 'Desk', unitPrice: 1080, inStock: false },
  ]);
  const items = await read({ rows: true, fields: [{ name: 'title' }, { name: 'price', type: 'number' }] });
  expect(JSON.parse(items.slice(items.indexOf('[')))).toEqual([
    { title: 'Red tent', price: 99 },
    { title: 'Blue tent', price: 89 },
  ]);
  const facts = await read({
    fields: [
      { name: 'customer' },
      { name: 'sum', type: 'number', description: 'the total' },
      { name: 'vatId', type: 'string' },
    ],
  });
  expect(JSON.parse(facts.slice(0, facts.indexOf('\nNot found')))).toEqual({
    customer: 'Ada',
    sum: 1234.5,
    vatId: null,
  });
  expect(facts).toMatch(/Not found on the page: vatId\.$/);
});

test('a dialog of the page is answered as armed before, and reported', async () => {
  const own = driven(await stage.newSession());
  const { call } = await opened('<button onclick="document.title = confirm(\'Sure?\')">Ask</button>', own);
  const page = await call('read_page', {});
  await call('dialogs', { accept: true });
  const asked = await call('computer', { action: 'left_click', ref: refOf(page.text, 'Ask') });
  expect(asked.text).toBe(
    'Clicked the button “Ask”. The page showed a dialog (confirm): “Sure?”; it was answered with yes.',
  );
});

test('a secret that a page shows reaches no model and no log', async () => {
  stage.env['TOOLS_PIN'] = 'hunter2-9876';
  const { session, call } = driven(await stage.newSession({ variables: { pin: { env: 'TOOLS_PIN' } } }));
  await call('navigate', { url: stage.page('/shows-pin', '<p>Your PIN is hunter2-9876</p>') });
  for (const [name, args] of [
    ['read_page', {}],
    ['get_page_text', {}],
    ['javascript_tool', { expression: 'document.body.innerText' }],
    ['extract', { fields: [{ name: 'pin' }] }],
  ] as const)
    expect((await call(name, args)).text).not.toContain('hunter2');
  expect(JSON.stringify([await session.log(), await session.journal()])).not.toContain('hunter2-9876');
});

test('a click by coordinates whose worker died is not sent again when the page has seen it', async () => {
  const { session, call } = await opened(
    '<button style="width:200px;height:200px" onclick="window.n = (window.n ?? 0) + 1">Add</button>',
  );
  const { planned } = await call('computer', { action: 'hover', coordinate: [90, 90] });
  const command = planned.run.kind === 'browser' ? planned.run.command : undefined;
  const click = { ...command!, commandId: 'the-click', action: 'CLICK_POINT' as const, parameters: { x: 90, y: 90 } };
  await session.run([click]);
  const again = await session.run([click]);
  expect(again.outcomes).toMatchObject([{ commandId: 'the-click', status: 'done' }]);
  expect((await call('javascript_tool', { expression: 'window.n' })).text).toBe('1');
});
