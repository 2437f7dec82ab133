/** What a page asks the person who has its browser: real Chromium, journal and workers; the workflow is played by the test. */
import { randomUUID } from 'node:crypto';
import type { PageAsk, PersonAct } from '../../../contracts/browsers/takeover';
import { connect } from '../../../store/database/connect';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { at, controlOf, ended, logged, numbered, persons, takenOver } from '../../support/takeovers';

let stage: BrowserStage;
beforeAll(async () => void (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const LIST_PAGE = `<body style="margin:0"><title>Lists</title>
  <label style="position:absolute;left:20px;top:20px">Size <select id="size" onchange="changes += 1">
    <option value="s">Small</option><option value="m" disabled>Medium</option><option value="l">Large</option></select></label>
  <script>changes = 0</script></body>`;
const SIZE = { x: 90, y: 30 };

test('a list that a person opens is shown to them, and the option that they choose is in the log', async () => {
  const workers = persons(stage);
  try {
    const { session, takeoverId } = await takenOver(stage, LIST_PAGE);
    const { sessionId } = session;
    const control = controlOf(stage, session);
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(SIZE)]) });
    const { asks } = await eventually('the page asks', async () => {
      const takeover = await control.takeover(sessionId);
      return takeover.asks === undefined ? undefined : takeover;
    });
    expect(asks).toEqual({
      kind: 'list',
      ask: 1,
      name: 'Size',
      options: [
        { label: 'Small', value: 's', isDisabled: false, isChosen: true },
        { label: 'Medium', value: 'm', isDisabled: true, isChosen: false },
        { label: 'Large', value: 'l', isDisabled: false, isChosen: false },
      ],
    });
    // The answer to another question, then the right one, then one that comes too late.
    const choose = (ask: number, option: number): PersonAct => ({ kind: 'choose', ask, option });
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([choose(1, 2), choose(1, 0)], 2) });
    await control.handBack(sessionId, { takeoverId });
    expect((await ended(stage, session)).asks).toBeUndefined();
    expect(await session.page().inputValue('#size')).toBe('l');
    expect(await session.page().evaluate('changes')).toBe(1);
    expect(await logged(stage, session)).toEqual([
      ['CLICK_ELEMENT', 'combobox “Size”', undefined, 'COMPLETED'],
      ['SELECT_OPTION', 'combobox “Size”', undefined, 'COMPLETED'],
      ['SELECT_OPTION', undefined, undefined, 'FAILED'],
    ]);
    const [, chosen] = await stage.store.journal.ofPersons(sessionId, 0);
    expect(chosen).toMatchObject({ parameters: { option: 'Large' }, sighting: { held: { option: 'Large' } } });
  } finally {
    await workers.stop();
  }
});

test('an option that a dead worker had begun to choose is not chosen again; a disabled one is refused', async () => {
  const { session, takeoverId } = await takenOver(stage, LIST_PAGE);
  const { sessionId, runId } = session;
  const { store } = stage;
  const choose = (option: number): PersonAct => ({ kind: 'choose', ask: 1, option });
  const first = persons(stage);
  const control = controlOf(stage, session);
  await control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(SIZE)]) });
  await eventually('the page asks', async () => (await control.takeover(sessionId)).asks !== undefined);
  await first.stop();
  await store.takeovers.add(sessionId, takeoverId, numbered([choose(2)], 2));
  await store.journal.intend(
    sessionId,
    { runId, epoch: session.lease!.epoch },
    {
      commandId: `person.${takeoverId}.2`,
      stepIndex: 0,
      turn: 0,
      position: 2,
      action: 'SELECT_OPTION',
      parameters: { option: 'Large' },
      effect: 'idempotent',
      pageUrl: session.page().url(),
      by: 'person',
      act: { takeoverId, number: 2 },
    },
    [],
  );
  await stage.worker().attachments.closeAll();
  const workers = persons(stage, 'second');
  try {
    // The list is still asked for: the person chooses again, first what can't be chosen.
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([choose(1)], 3) });
    await eventually('all acts are done', async () => {
      const entries = await store.journal.ofPersons(sessionId, 0);
      return entries.length === 3 && entries.every(({ status }) => status !== 'intended');
    });
    await control.handBack(sessionId, { takeoverId });
    await ended(stage, session);
    const page = stage.worker('second').attachments.current(sessionId)!.page;
    expect([await page.inputValue('#size'), await page.evaluate('changes')]).toEqual(['s', 0]);
    const entries = await store.journal.ofPersons(sessionId, 0);
    expect(entries.map(({ status }) => status)).toEqual(['done', 'unknown', 'failed']);
    expect(entries[2]!.response!.error!.message).toContain('“Medium” can not be chosen');
  } finally {
    await workers.stop();
  }
});

test('a tab that a person chooses comes to the front, for the next worker too', async () => {
  const workers = persons(stage);
  try {
    const { session, takeoverId } = await takenOver(stage, '<p>First</p>');
    const { sessionId } = session;
    const control = controlOf(stage, session);
    const other = stage.page(`/${randomUUID()}`, '<title>Second</title>');
    await session.page().evaluate((url) => void window.open(url), other);
    await eventually('there are two tabs', () => session.page().context().pages().length === 2);
    await eventually('it was seen as open', async () => (await stage.store.takeovers.get(sessionId))!.opened);
    await control.takeoverInput(sessionId, {
      takeoverId,
      acts: numbered([
        { kind: 'tab', tab: 2 },
        { kind: 'tab', tab: 9 },
      ]),
    });
    // The page asks nothing, so acts write nothing into the row of the takeover.
    const sql = connect(stage.databaseUrl);
    const version = () => sql`select xmin::text from takeovers where session_id = ${sessionId}`;
    const before = await version();
    await eventually('both are done', async () => (await logged(stage, session)).length === 2);
    expect(await version()).toEqual(before);
    await sql.end();
    await control.handBack(sessionId, { takeoverId });
    await ended(stage, session);
    expect((await session.look()).url).toBe(other);
    expect(await logged(stage, session)).toEqual([
      ['SWITCH_TAB', undefined, undefined, 'COMPLETED'],
      ['SWITCH_TAB', undefined, undefined, 'FAILED'],
    ]);
  } finally {
    await workers.stop();
  }
});

const ASKING_PAGE = `<body style="margin:0"><title>Asking</title>
  <button style="position:absolute;left:20px;top:20px;width:120px;height:40px"
    onclick="asked += 1; answers.push(confirm('Delete it? (' + asked + ')'))">Delete</button>
  <button style="position:absolute;left:20px;top:80px;width:120px;height:40px" onclick="file.click()">Attach</button>
  <input type="file" id="file" hidden accept=".txt" onchange="given.push(file.files[0].name)">
  <script>asked = 0; answers = []; given = []; file = document.getElementById('file')</script></body>`;
const DELETE = { x: 60, y: 40 };
const ATTACH = { x: 60, y: 100 };

async function asked(stage: BrowserStage, session: StagedSession, isSo: (asks: PageAsk) => boolean = () => true) {
  return await eventually('the page asks', async () => {
    const { asks } = await controlOf(stage, session).takeover(session.sessionId);
    return asks !== undefined && isSo(asks) ? asks : undefined;
  });
}

test('a dialog waits for the person past the death of a worker, is answered once, and holds all else', async () => {
  const { session, takeoverId } = await takenOver(stage, ASKING_PAGE);
  const { sessionId } = session;
  const control = controlOf(stage, session);
  const first = persons(stage);
  await control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(DELETE), at(ATTACH)]) });
  const asks = await asked(stage, session);
  expect(asks).toMatchObject({ kind: 'dialog', type: 'confirm', message: 'Delete it? (1)', until: expect.any(String) });
  await eventually('the second click is refused', async () => (await logged(stage, session)).length === 2);
  await first.stop();
  await stage.worker().attachments.closeAll();
  const later = persons(stage);
  try {
    const accept: PersonAct = { kind: 'dialog', ask: asks.ask, accept: true };
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([accept, accept], 3) });
    await control.handBack(sessionId, { takeoverId });
    await ended(stage, session);
    const { page } = stage.worker().attachments.current(sessionId)!;
    expect([await page.evaluate('answers'), await page.evaluate('asked')]).toEqual([[true], 1]);
    expect(await logged(stage, session)).toEqual([
      ['CLICK_ELEMENT', 'button “Delete”', undefined, 'COMPLETED'],
      ['CLICK_POINT', undefined, undefined, 'FAILED'],
      ['HANDLE_DIALOG', undefined, undefined, 'COMPLETED'],
      ['HANDLE_DIALOG', undefined, undefined, 'FAILED'],
    ]);
  } finally {
    await later.stop();
  }
});

test('a dialog that nobody answers is answered as always; an answer given before is for the next act', async () => {
  const workers = persons(stage, 'first', 60_000, 1000);
  try {
    const { session, takeoverId } = await takenOver(stage, ASKING_PAGE);
    const { sessionId } = session;
    const control = controlOf(stage, session);
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(DELETE)]) });
    await asked(stage, session, (asks) => asks.kind === 'dialog' && asks.accepted === false);
    const accept: PersonAct = { kind: 'dialog', accept: true };
    // The last one waits when the browser is handed back.
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([accept, at(DELETE), at(DELETE)], 2) });
    await control.handBack(sessionId, { takeoverId });
    await ended(stage, session);
    expect(await session.page().evaluate('answers')).toEqual([false, true, false]);
    await session.pause(false);
    await session.did([a('CLICK_ELEMENT', { selector: 'role=button[name="Delete"]' })], { turn: 1 });
    expect(await session.page().evaluate('answers')).toEqual([false, true, false, false]);
  } finally {
    await workers.stop();
  }
});

test('a file that a person gives reaches the file chooser that their click has opened, once', async () => {
  const workers = persons(stage);
  try {
    const { session, takeoverId } = await takenOver(stage, ASKING_PAGE);
    const { sessionId } = session;
    const control = controlOf(stage, session);
    const content = Buffer.from('Hello');
    const { row } = await stage.store.uploads.save({ name: 'hello.txt', mediaType: 'text/plain', content });
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(ATTACH)]) });
    const { asks } = await eventually('the page asks', async () => {
      const takeover = await control.takeover(sessionId);
      return takeover.asks === undefined ? undefined : takeover;
    });
    expect(asks).toEqual({ kind: 'files', ask: 1, name: 'Attach', isMultiple: false, accepts: '.txt' });
    const give: PersonAct = { kind: 'files', ask: 1, files: [row.fileId] };
    await control.takeoverInput(sessionId, { takeoverId, acts: numbered([give, give], 2) });
    await control.handBack(sessionId, { takeoverId });
    await ended(stage, session);
    expect(await session.page().evaluate('given')).toEqual(['hello.txt']);
    expect(await logged(stage, session)).toEqual([
      ['CLICK_ELEMENT', 'button “Attach”', undefined, 'COMPLETED'],
      ['UPLOAD_FILE', 'button “Attach”', undefined, 'COMPLETED'],
      ['UPLOAD_FILE', undefined, undefined, 'FAILED'],
    ]);
  } finally {
    await workers.stop();
  }
});

const COPY_PAGE = `<body style="margin:0"><title>Copying</title><p id="order">Order 4711 is paid, the key is ${'sesame'}-4711-abc</p>
  <input id="name" value="Ada Lovelace"><input id="secret" type="password" value="hunter2-hunter2">
  <script>function choose(id, from, to) {
    const node = document.getElementById(id);
    if (node.setSelectionRange) { node.focus(); node.setSelectionRange(from, to); return; }
    document.activeElement.blur();
    getSelection().setBaseAndExtent(node.firstChild, from, node.firstChild, to);
  }</script></body>`;

test('what the page has selected reaches the person who copies it, and of a secret no part', async () => {
  const workers = persons(stage);
  try {
    stage.env['COPY_KEY'] = 'sesame-4711-abc';
    const facts = { variables: { key: { env: 'COPY_KEY' } } };
    const { session, takeoverId } = await takenOver(stage, COPY_PAGE, facts);
    const { sessionId } = session;
    const control = controlOf(stage, session);
    let number = 0;
    const copied = async (id: string, from: number, to: number): Promise<string | undefined> => {
      await session.page().evaluate(`choose('${id}', ${from}, ${to})`);
      number += 1;
      const copy: PersonAct = { kind: 'key', key: 'Control+C' };
      await control.takeoverInput(sessionId, { takeoverId, acts: numbered([copy], number) });
      await eventually('it is done', async () => (await logged(stage, session)).length === number);
      const { asks } = await control.takeover(sessionId);
      return asks?.kind === 'copied' ? asks.text : undefined;
    };
    // The answer follows the end of the act in the log.
    const given = (id: string, from: number, to: number): Promise<string> =>
      eventually('the text is copied', () => copied(id, from, to));
    expect(await given('order', 0, 10)).toBe('Order 4711');
    expect(await given('order', 23, 37)).not.toContain('sesame');
    expect(await given('name', 0, 3)).toBe('Ada');
    expect(await copied('secret', 0, 7)).toBeUndefined();
  } finally {
    await workers.stop();
  }
});
