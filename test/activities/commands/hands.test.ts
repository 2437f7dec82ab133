/**
 * Every command of the pointer, the keys, tabs, files and the browser itself: its definition, its words for `rules`, its
 * tool for models, its effect class and its evidence. Each row is carried out on a page in a real Chrome: as the words
 * come to it, and as a call of the tool. A command that is added to these definitions needs a row here to compile.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRulesModel } from '../../../rules/rules-model';
import { durableTarget, refIn } from '../../../rules/page-text/durable-target';
import type { ToolRegistry } from '../../../activities/engine/tools/port';
import { COMMANDS, type BrowserAction, type StepAction } from '../../../contracts/commands/commands';
import type { EffectClass } from '../../../contracts/commands/define-command';
import { environmentCommands } from '../../../contracts/commands/definitions/environment';
import type { fileCommands } from '../../../contracts/commands/definitions/files';
import type { keyCommands } from '../../../contracts/commands/definitions/keys';
import type { mouseCommands } from '../../../contracts/commands/definitions/mouse';
import type { pageCommands } from '../../../contracts/commands/definitions/pages';
import { tabCommands } from '../../../contracts/commands/definitions/tabs';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import type { BrowserToolName } from '../../../contracts/tools/browser-tools';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type Draft, type StagedSession } from '../../support/browser-session';
import { aToolRegistry } from '../../support/engine-tools';
import { everyNth } from '../../support/long-run';
import { refOf, toolCaller } from '../../support/tool-caller';

type Definitions = typeof mouseCommands &
  typeof keyCommands &
  typeof pageCommands &
  typeof tabCommands &
  typeof fileCommands &
  typeof environmentCommands;
/** What steps may use of them. */
type Hand = Extract<keyof Definitions, StepAction>;

interface Row {
  words: string;
  tool: BrowserToolName;
  /** `@Name` stands for the ref of what has this name. */
  args: Record<string, unknown>;
  /** The command of the tool, where it is another one than that of the words. */
  toolAction?: BrowserAction;
  /** What is done before, on the page that is open. */
  before?: readonly Draft[];
  /** What is done afterwards, to see it. */
  after?: readonly Draft[];
  /** Evaluated in the page in front afterwards, and what it comes to. */
  shows: readonly [expression: string, value: unknown];
}

const TITLE = 'document.title';
const TABS = 'history.length > 0 && location.pathname';
const shared = {} as { other: string; origin: string };
const OTHER = 'http://OTHER/';
const ORIGIN = 'http://ORIGIN';

const HANDS: { [A in Hand]: { effect: EffectClass; rows: readonly Row[] } } = {
  CLICK_ELEMENT: {
    effect: 'commit',
    rows: [
      {
        words: 'click Plain',
        tool: 'computer',
        args: { action: 'left_click', ref: '@Plain' },
        shows: [TITLE, 'click'],
      },
    ],
  },
  DOUBLE_CLICK: {
    effect: 'commit',
    rows: [
      {
        words: 'double-click Double',
        tool: 'computer',
        args: { action: 'double_click', ref: '@Double' },
        toolAction: 'CLICK_ELEMENT',
        shows: [TITLE, 'double'],
      },
    ],
  },
  RIGHT_CLICK: {
    effect: 'commit',
    rows: [
      {
        words: 'right-click Context',
        tool: 'computer',
        args: { action: 'right_click', ref: '@Context' },
        toolAction: 'CLICK_ELEMENT',
        shows: [TITLE, 'menu 2'],
      },
    ],
  },
  PRESS_AND_HOLD: {
    effect: 'commit',
    rows: [
      {
        words: 'press and hold Hold for 1 second',
        tool: 'gesture',
        args: { action: 'hold', ref: '@Hold', seconds: 1 },
        shows: [TITLE, 'held'],
      },
    ],
  },
  CHOOSE_MENU_ITEM: {
    effect: 'commit',
    rows: [
      {
        words: 'click File > Open',
        tool: 'menu',
        args: { ref: '@File', path: ['Open'] },
        shows: [TITLE, 'open'],
      },
    ],
  },
  DRAG_ELEMENT: {
    effect: 'commit',
    rows: [
      {
        words: 'drag Card to Area',
        tool: 'gesture',
        args: { action: 'drag', ref: '@Card', to_ref: '@Area' },
        shows: [TITLE, 'drop card'],
      },
      {
        words: 'drag Knob 120 pixels to the right',
        tool: 'gesture',
        args: { action: 'drag', ref: '@Knob', by: [120, 0] },
        shows: [TITLE, 'at 520'],
      },
    ],
  },
  SCROLL: {
    effect: 'pure',
    rows: [
      {
        words: 'scroll to the Last button',
        tool: 'computer',
        args: { action: 'scroll_to', ref: '@Last' },
        shows: ['scrollY > 500', true],
      },
      {
        words: 'scroll down',
        tool: 'computer',
        args: { action: 'scroll', scroll_direction: 'down' },
        shows: ['scrollY > 0', true],
      },
    ],
  },
  SCROLL_UNTIL: {
    effect: 'pure',
    rows: [
      {
        words: 'scroll the Feed until "Item 45" shows',
        tool: 'gesture',
        args: { action: 'scroll_until', ref: '@Feed', text: 'Item 45' },
        shows: ['document.getElementById("feed").innerText.includes("Item 45")', true],
      },
    ],
  },
  HOVER: {
    effect: 'idempotent',
    rows: [
      {
        words: 'hover over Help',
        tool: 'computer',
        args: { action: 'hover', ref: '@Help' },
        shows: ['document.querySelector("#help:hover") !== null', true],
      },
    ],
  },
  PRESS_KEY: {
    effect: 'commit',
    rows: [
      {
        words: 'press Ctrl+Shift+K',
        tool: 'computer',
        args: { action: 'key', text: 'Control+Shift+K' },
        shows: [TITLE, 'chord'],
      },
    ],
  },
  OPEN_PAGE: {
    effect: 'idempotent',
    rows: [{ words: `open ${OTHER}`, tool: 'navigate', args: { url: OTHER }, shows: [TABS, '/other'] }],
  },
  GO_BACK: {
    effect: 'commit',
    rows: [
      {
        words: 'go back',
        tool: 'navigate',
        args: { url: 'back' },
        before: [a('OPEN_PAGE', { url: OTHER })],
        shows: [TABS, '/hands'],
      },
    ],
  },
  GO_FORWARD: {
    effect: 'commit',
    rows: [
      {
        words: 'go forward',
        tool: 'navigate',
        args: { url: 'forward' },
        before: [a('OPEN_PAGE', { url: OTHER }), a('GO_BACK')],
        shows: [TABS, '/other'],
      },
    ],
  },
  RELOAD_PAGE: {
    effect: 'commit',
    rows: [
      {
        words: 'reload the page',
        tool: 'reload',
        args: {},
        before: [a('PRESS_KEY', { key: 'Control+Shift+K' })],
        shows: [TITLE, 'Hands'],
      },
    ],
  },
  SWITCH_TAB: {
    effect: 'idempotent',
    rows: [
      {
        words: 'switch to the first tab',
        tool: 'tabs',
        args: { tab: 'first' },
        before: [a('OPEN_TAB', { url: OTHER })],
        shows: [TABS, '/hands'],
      },
    ],
  },
  OPEN_TAB: {
    effect: 'commit',
    rows: [{ words: 'open a new tab', tool: 'open_tab', args: {}, shows: ['location.href', 'about:blank'] }],
  },
  CLOSE_TAB: {
    effect: 'commit',
    rows: [
      {
        words: 'close the tab',
        tool: 'close_tab',
        args: {},
        before: [a('OPEN_TAB', { url: OTHER })],
        shows: [TABS, '/hands'],
      },
    ],
  },
  UPLOAD_FILE: {
    effect: 'commit',
    rows: [
      {
        words: 'upload note.txt to Photo',
        tool: 'upload',
        args: { ref: '@Photo', files: ['note.txt'] },
        shows: [TITLE, 'given note.txt'],
      },
    ],
  },
  DROP_FILES: {
    effect: 'commit',
    rows: [
      {
        words: 'drop note.txt onto Area',
        tool: 'gesture',
        args: { action: 'drop_files', ref: '@Area', files: ['note.txt'] },
        shows: [TITLE, 'drop note.txt'],
      },
    ],
  },
  SAVE_PDF: {
    effect: 'pure',
    rows: [
      {
        words: 'print the page to PDF as "hands.pdf"',
        tool: 'save_pdf',
        args: { name: 'hands.pdf' },
        shows: [TITLE, 'Hands'],
      },
    ],
  },
  SET_VIEWPORT: {
    effect: 'idempotent',
    rows: [
      {
        words: 'set the viewport to 500 x 400',
        tool: 'set_viewport',
        args: { width: 500, height: 400 },
        shows: ['innerWidth', 500],
      },
    ],
  },
  SET_GEOLOCATION: {
    effect: 'idempotent',
    rows: [
      {
        words: 'set the location to 48.2, 16.37',
        tool: 'set_geolocation',
        args: { latitude: 48.2, longitude: 16.37 },
        before: [a('SET_PERMISSIONS', { permissions: ['geolocation'] })],
        shows: [
          'new Promise((resolve) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords.latitude)))',
          48.2,
        ],
      },
    ],
  },
  SET_PERMISSIONS: {
    effect: 'idempotent',
    rows: [
      {
        words: 'allow the site to use the camera and the microphone',
        tool: 'set_permissions',
        args: { permissions: ['camera', 'microphone'] },
        before: [a('SET_PERMISSIONS', { permissions: [] })],
        shows: ['navigator.permissions.query({ name: "camera" }).then(({ state }) => state)', 'granted'],
      },
    ],
  },
  SET_HTTP_CREDENTIALS: {
    effect: 'idempotent',
    rows: [
      {
        words: `sign in by HTTP at ${ORIGIN} as "ada" with the secret \${intranet}`,
        tool: 'set_http_credentials',
        args: { origin: ORIGIN, username: 'ada', password: '${intranet}' },
        after: [a('OPEN_PAGE', { url: ORIGIN })],
        shows: ['performance.getEntriesByType("navigation")[0].responseStatus', 200],
      },
    ],
  },
};

const PAGE = `<body style="margin: 0; height: 3000px">
<button onclick="document.title = 'click'">Plain</button>
<button ondblclick="document.title = 'double'">Double</button>
<button oncontextmenu="document.title = 'menu ' + event.button; return false">Context</button>
<button onpointerdown="this.at = performance.now()" onpointerup="if (performance.now() - this.at > 900) document.title = 'held'">Hold</button>
<button aria-haspopup="menu" onclick="document.getElementById('items').hidden = false">File</button>
<ul id="items" role="menu" hidden><li role="menuitem" onclick="document.title = 'open'">Open</li></ul>
<button id="help">Help</button>
<label>Photo <input type="file" onchange="document.title = 'given ' + this.files[0].name"></label>
<div role="button" tabindex="0" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'card')" style="width: 80px; height: 30px; background: silver">Card</div>
<div role="group" aria-label="Area" ondragover="event.preventDefault()" ondrop="event.preventDefault(); document.title = 'drop ' + (event.dataTransfer.files[0]?.name ?? event.dataTransfer.getData('text/plain'))" style="width: 200px; height: 60px; background: beige">Drop here</div>
<div id="knob" role="button" tabindex="0" aria-label="Knob" style="position: absolute; left: 400px; top: 60px; width: 20px; height: 20px; background: red; touch-action: none"></div>
<div id="feed" role="region" aria-label="Feed" tabindex="0" style="height: 100px; overflow: auto"><p>Item 0</p></div>
<button style="position: absolute; top: 2500px">Last</button>
<script>
  document.title = 'Hands';
  addEventListener('keydown', (event) => { if (event.ctrlKey && event.shiftKey && event.key.toUpperCase() === 'K') document.title = 'chord'; });
  let from;
  const knob = document.getElementById('knob');
  knob.onpointerdown = (event) => { from = event.clientX - knob.offsetLeft; knob.setPointerCapture(event.pointerId); };
  knob.onpointermove = (event) => { if (from !== undefined) knob.style.left = event.clientX - from + 'px'; };
  knob.onpointerup = () => { document.title = 'at ' + knob.offsetLeft; from = undefined; };
  const feed = document.getElementById('feed');
  let items = 1;
  const more = () => { for (let n = 0; n < 10 && items < 60; n += 1) feed.append(Object.assign(document.createElement('p'), { textContent: 'Item ' + items++ })); };
  feed.onscroll = () => setTimeout(more, 50);
  more();
</script>`;

let stage: BrowserStage;
let toolRegistry: ToolRegistry;
let site: Server;
let session: StagedSession;
let call: ReturnType<typeof toolCaller>;
let address: string;
const uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
beforeAll(async () => {
  writeFileSync(join(uploads, 'note.txt'), 'hello');
  stage = await openBrowserStage({ uploads });
  toolRegistry = aToolRegistry(stage.store, [], stage.env).toolRegistry;
  site = createServer(({ headers: { authorization } }, response) => {
    const isLetIn = authorization === `Basic ${Buffer.from('ada:open sesame').toString('base64')}`;
    const challenge = isLetIn ? {} : { 'www-authenticate': 'Basic realm="Intranet"' };
    response.writeHead(isLetIn ? 200 : 401, challenge).end('<title>Intranet</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  shared.origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  shared.other = stage.page('/other', '<h1>Other</h1>');
  address = stage.page('/hands', PAGE);
});
afterAll(async () => {
  site.close();
  await stage.stop();
  rmSync(uploads, { recursive: true, force: true });
});

/** One Chrome for those that leave nothing behind but a page. */
let common: [StagedSession, ReturnType<typeof toolCaller>] | undefined;

async function begin(action: Hand, { before }: Row): Promise<void> {
  [session, call] = leavesMore(action) ? await newHands() : (common ??= await newHands());
  await session.open(address);
  if (before !== undefined) await session.did(real(before));
}

async function end(action: Hand): Promise<void> {
  if (leavesMore(action)) await session.release();
}

function leavesMore(action: Hand): boolean {
  return action in tabCommands || action in environmentCommands;
}

async function newHands(): Promise<[StagedSession, ReturnType<typeof toolCaller>]> {
  const hands = await stage.newSession({ secrets: { intranet: { origins: [shared.origin], value: 'open sesame' } } });
  return [hands, toolCaller(hands, toolRegistry)];
}

/** With the addresses that are known only now. */
const real = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(OTHER, shared.other).replaceAll(ORIGIN, shared.origin)) as T;

/** The commands that `rules` gives for the words on the page as it is, by durable targets. */
async function plan(words: string): Promise<Draft[]> {
  const snapshot = await session.look();
  const request = { stepIndex: 0, iteration: 0, maxIterations: 5, mayAct: true, pastIterations: [], snapshot };
  const asked = createRulesModel().decide(
    { ...request, instruction: words, variables: ['intranet'] },
    { signal: new AbortController().signal },
  );
  const { commands, decision } = AIResponseSchema.parse((await asked).reply);
  if (commands.length === 0) throw new Error(`“${words}” came to no command: ${JSON.stringify(decision)}`);
  return commands.map(({ action, parameters: { toSelector, ...parameters } }) => {
    const targetOf = (selector: string | undefined) =>
      selector === undefined ? undefined : durableTarget(snapshot, refIn(selector)!);
    const [target, toTarget] = [targetOf(parameters.selector), targetOf(toSelector)];
    return {
      action,
      parameters: { ...parameters, ...(toSelector === undefined ? {} : { toSelector }) },
      ...(target === undefined ? {} : { target }),
      ...(toTarget === undefined ? {} : { toTarget }),
    };
  });
}

async function withRefs(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const names = Object.values(args).filter((value) => typeof value === 'string' && value.startsWith('@'));
  if (names.length === 0) return args;
  const { text } = await call('read_page', {});
  const replaced = ([key, value]: [string, unknown]): [string, unknown] => [
    key,
    names.includes(value) ? refOf(text, (value as string).slice(1)) : value,
  ];
  return Object.fromEntries(Object.entries(args).map(replaced));
}

async function expectDone(commandId: string, action: BrowserAction, { shows, after }: Row): Promise<void> {
  const entry = (await session.journal()).find((each) => each.commandId === commandId);
  const { effect } = COMMANDS[action];
  expect(entry).toMatchObject({ action, effect, status: 'done', evidence: { kind: 'observed' } });
  if (after !== undefined) await session.did(real(after));
  const [expression, value] = real(shows);
  expect(await session.page().evaluate(expression)).toEqual(value);
}

const ROWS = Object.entries(HANDS).flatMap(([action, { effect, rows }]) =>
  rows.map((row) => [action as Hand, row.words, effect, row] as const),
);

// The suite takes each row one way, the long run both ways.
test.each(everyNth(2, ROWS))('%s by the words “%s” (%s)', async (action, _, effect, row) => {
  expect(COMMANDS[action]).toMatchObject({ prompt: expect.any(String), effect });
  await begin(action, row);
  const commands = session.plan(await plan(real(row.words)));
  await session.did(commands);
  await expectDone(commands.at(-1)!.commandId, action, row);
  await end(action);
});

test.each(everyNth(2, ROWS, 1))('%s by the tool for “%s” (%s)', async (action, _, _effect, row) => {
  await begin(action, row);
  const { planned, text } = await call(row.tool, await withRefs(real(row.args)));
  if (planned.run.kind !== 'browser') throw new Error(text);
  expect(planned.run.command.action).toBe(row.toolAction ?? action);
  await expectDone(planned.run.command.commandId, row.toolAction ?? action, row);
  await end(action);
});

test('a printed page is a file of its session, and one that shows a secret is not printed', async () => {
  [session] = await newHands();
  await session.open(address);
  await session.did([a('SAVE_PDF', { name: 'Invoice 4711' })]);
  const [file, ...others] = await stage.store.artifacts.list(session.sessionId, 'download');
  expect([file!.facts.fileName, others.length]).toEqual(['Invoice 4711.pdf', 0]);
  expect((await stage.store.artifacts.read(file!)).toString('latin1', 0, 5)).toBe('%PDF-');
  await session.page().evaluate(() => document.body.append('open sesame'));
  const { outcomes } = await session.run([a('SAVE_PDF', { name: 'again' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', message: expect.stringContaining('The page shows a secret') }]);
  await session.release();
});
