import { callEndOf } from '../../../contracts/events/formats/calls';
import { CommandResponseSchema } from '../../../contracts/commands/commands';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const SAVE = a('SAVE_VARIABLE', { selector: 'h1', variableName: 'heading' });

test('[S1.R11] answers every command with its id, the DOM, a screenshot and a duration', async () => {
  const session = await stage.newSession();
  const { page } = await session.did([a('OPEN_PAGE', { url: session.url('/parts/form') }), SAVE], {
    screenshotsEnabled: true,
  });
  const { artifacts } = stage.store;
  for (const { commandId, response, domId } of await session.journal()) {
    expect(CommandResponseSchema.parse({ ...response, dom: '' })).toMatchObject({ success: true, commandId });
    const screenshot = await artifacts.get(session.sessionId, response?.screenshotId ?? '');
    expect(screenshot).toMatchObject({ kind: 'screenshot', commandId, facts: { width: 1280, height: 800 } });
    const dom = await artifacts.get(session.sessionId, domId ?? '');
    expect((await artifacts.read(dom!)).toString()).toContain('<h1>Every control</h1>');
  }
  // The picture says where the element of its command is, and that of a command without one says nothing.
  const heading = (await session.page().locator('h1').boundingBox())!;
  const box = Object.fromEntries(Object.entries(heading).map(([side, pixels]) => [side, Math.round(pixels)]));
  const targets = (await artifacts.list(session.sessionId, 'screenshot')).map(({ facts }) => facts.target);
  expect(targets).toHaveLength(2);
  expect(targets).toEqual(expect.arrayContaining([box, undefined]));
  expect(page).toMatchObject({ domId: (await session.lastEntry()).domId, url: session.url('/parts/form') });
});

test('a click that leads to another page has the picture of the page that it left, with what it acted on', async () => {
  const session = await stage.newSession();
  const to = stage.page('/led-to', '<h1>There</h1>');
  const from = stage.page('/led-from', `<body style="margin:0"><a href="${to}">Go</a>`);
  await session.did([a('OPEN_PAGE', { url: from })], { screenshotsEnabled: true });
  const { x, y } = (await session.page().locator('a').boundingBox())!;
  await session.did([a('CLICK_ELEMENT', { selector: 'role=link[name="Go"]' })], { screenshotsEnabled: true, turn: 1 });
  const [opened, clicked] = await stage.store.artifacts.list(session.sessionId, 'screenshot');
  expect(clicked!.facts).toMatchObject({
    before: { id: opened!.artifactId, target: { x: Math.round(x), y: Math.round(y) } },
  });
  expect(clicked!.facts.target).toBeUndefined();
});

test('[S1.A8] has no screenshot and no event of one when screenshots are disabled', async () => {
  const session = await stage.newSession();
  const { page } = await session.did([a('OPEN_PAGE', { url: session.url('/parts/form') })]);
  expect(page.screenshotId).toBe('');
  expect((await session.lastEntry()).response?.screenshotId).toBe('');
  expect((await session.log()).some(({ type }) => type === 'SCREENSHOT_CAPTURED')).toBe(false);
});

test('[S1.R12, S1.A36] publishes its start, what happens and its end in order, times in milliseconds', async () => {
  const session = await stage.newSession();
  const [open, save] = session.plan([a('OPEN_PAGE', { url: session.url('/parts/form') }), SAVE]);
  await session.did([open!, save!], { screenshotsEnabled: true });
  expect(await session.kinds()).toEqual([
    'COMMAND_STARTED',
    'PAGE_NAVIGATED',
    'COMMAND_COMPLETED',
    'COMMAND_STARTED',
    'VARIABLE_UPDATED',
    'COMMAND_COMPLETED',
  ]);
  const log = await session.log();
  const of = (type: string) => log.filter((record) => record.type === type);
  expect(of('PAGE_NAVIGATED')[0]).toMatchObject({
    owner: 'executor',
    data: { page: { url: session.url('/parts/form'), title: 'Every control · Surefoot Supply' } },
  });
  const loadTime = of('PAGE_NAVIGATED')[0]?.data.page?.loadTime;
  const duration = of('COMMAND_COMPLETED')[0]?.data.command?.duration;
  for (const ms of [loadTime, duration])
    expect([ms, Number.isInteger(ms) && ms! > 0 && ms! < 60_000]).toEqual([ms, true]);
  expect(of('VARIABLE_UPDATED')[0]).toMatchObject({
    owner: 'executor',
    data: { variable: { name: 'heading', value: 'Every control', source: 'extracted' } },
  });
  expect(of('COMMAND_STARTED')[1]).toMatchObject({
    owner: 'task-loop',
    eventId: `${save!.commandId}/started`,
    data: { command: { commandId: save!.commandId, action: 'SAVE_VARIABLE', status: 'EXECUTING' } },
  });
  expect(of('COMMAND_COMPLETED')[1]).toMatchObject({
    owner: 'task-loop',
    data: {
      command: { status: 'COMPLETED', duration: expect.any(Number) as number },
      message: 'heading = Every control',
    },
  });
  expect(callEndOf(of('COMMAND_COMPLETED')[0]!)?.summary).toBe('OPEN_PAGE COMPLETED');
  expect(callEndOf(of('COMMAND_COMPLETED')[1]!)?.summary).toBe('heading = Every control');
  // One per command, announced under the id that the answer names.
  const shots = of('SCREENSHOT_CAPTURED').map(({ data }) => data.screenshot?.id);
  const answered = (await session.journal()).map(({ response }) => response?.screenshotId);
  expect(shots).toHaveLength(2);
  expect(new Set(shots)).toEqual(new Set(answered));
});

test('has the outcome of each command in the log before the next one starts', async () => {
  const session = await stage.newSession();
  await session.open('/parts/form');
  const after = (await session.log()).length;
  await session.did(Array.from({ length: 12 }, (_, n) => a('INPUT_TEXT', { selector: '#name', text: `text ${n}` })));
  const ids = (await session.log()).slice(after).map(({ eventId }) => eventId.split('.').at(-1));
  expect(ids).toEqual(Array.from({ length: 12 }, (_, n) => [`${n + 2}/started`, `${n + 2}/completed`]).flat());
  expect(await session.page().inputValue('#name')).toBe('text 11');
});

test('captures the page as each command left it, not as a later one did', async () => {
  const session = await stage.newSession();
  await session.open('/parts/keys');
  const press = (key: string) => [
    a('INPUT_TEXT', { selector: '#message', text: key }),
    a('PRESS_KEY', { key: 'Enter', selector: '#message' }),
  ];
  await session.did(['one', 'two', 'three'].flatMap(press));
  // They are saved side by side, so their times say nothing.
  const rows = await stage.store.artifacts.list(session.sessionId, 'dom');
  const [, ...steps] = await Promise.all(
    (await session.journal()).map(async ({ domId }) => {
      const dom = await stage.store.artifacts.read(rows.find(({ artifactId }) => artifactId === domId)!);
      return /role="status">([^<]*)</.exec(dom.toString())?.[1];
    }),
  );
  expect(steps).toEqual([
    'Enter sends, Escape clears',
    'Sent: one',
    'Sent: one',
    'Sent: two',
    'Sent: two',
    'Sent: three',
  ]);
});

test('[S1.A10] stops at the first command that fails and skips the rest', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const { outcomes } = await session.run(
    [
      a('GET_DOM'),
      a('CLICK_ELEMENT', { selector: '#none' }),
      a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' }),
    ],
    { timeoutMs: 300 },
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['done', 'failed', 'skipped']);
  expect(await session.kinds(3)).toEqual(['COMMAND_STARTED', 'COMMAND_COMPLETED', 'COMMAND_STARTED', 'COMMAND_FAILED']);
  const failed = (await session.log()).at(-1)!;
  expect(failed.data.command).toMatchObject({ status: 'FAILED' });
  expect(failed.data.error).toMatchObject({
    code: 'EX002',
    sessionId: session.sessionId,
    commandId: (await session.journal())[2]?.commandId,
    recoverable: true,
  });
  expect((await session.journal())[2]?.response).toMatchObject({ success: false, error: { code: 'EX002' } });
  expect(session.count()).toBe(0);
});

test('keeps as evidence the POST that a click sent, with its status, and where it led', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  await session.did([a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' })]);
  const { evidence } = await session.lastEntry();
  if (evidence?.kind !== 'observed') throw new Error(`expected an observed command, got ${evidence?.kind}`);
  const { requests, navigations, urlBefore } = evidence;
  expect(urlBefore).toBe(session.url('/parts/counter'));
  const address = `${stage.shop.url}/parts/counter`;
  expect(requests).toContainEqual({ method: 'POST', url: address, status: 303 });
  expect(requests).toContainEqual({ method: 'GET', url: address, status: 200 });
  expect(navigations).toEqual([address]);
});

test('looks at the page even when there is nothing to do', async () => {
  const session = await stage.newSession();
  await session.acquire();
  expect(await session.run([])).toMatchObject({ outcomes: [], isInterrupted: false, page: { url: 'about:blank' } });
  expect(await session.look()).toMatchObject({ url: 'about:blank' });
});
