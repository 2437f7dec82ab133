/** A person at the browser of a session: real Chromium, journal and workers; the workflow is played by the test. */
import { randomUUID } from 'node:crypto';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { at, controlOf, ended, logged, numbered, persons, takenOver, text } from '../../support/takeovers';
import { everyRow } from '../../support/every-row';

const PAGE = `<body style="margin:0">
  <label style="position:absolute;left:20px;top:20px">Colour <input id="colour" oninput="inputs += 1"></label>
  <label style="position:absolute;left:20px;top:80px">Password <input id="password" type="password"></label>
  <button style="position:absolute;left:20px;top:140px;width:120px;height:40px" onclick="clicks += 1">Save it</button>
  <script>clicks = 0; inputs = 0</script></body>`;
const COLOUR = { x: 120, y: 30 };
const PASSWORD = { x: 140, y: 90 };
const SAVE = { x: 60, y: 160 };

let stage: BrowserStage;
beforeAll(async () => void (stage = await openBrowserStage()));
afterAll(() => stage.stop());

test('what a person does reaches the page once, is in the log with its elements, and passwords are masked', async () => {
  const workers = persons(stage);
  try {
    const { session, takeoverId } = await takenOver(stage, PAGE);
    const { sessionId } = session;
    const control = controlOf(stage, session);
    const acts = numbered([at(COLOUR), text('blu'), text('e'), at(PASSWORD), text('hunter2-hunter2'), at(SAVE)]);
    await control.takeoverInput(sessionId, { takeoverId, acts: acts.slice(0, 4) });
    // A request that is repeated, because its answer was lost.
    await control.takeoverInput(sessionId, { takeoverId, acts });
    await control.handBack(sessionId, { takeoverId });
    await expect(control.takeoverInput(sessionId, { takeoverId, acts: numbered([at(SAVE)], 7) })).rejects.toMatchObject(
      {
        kind: 'wrong-state',
      },
    );
    expect(await ended(stage, session)).toMatchObject({ end: 'handed-back', by: 'ada' });
    const page = session.page();
    expect(await page.inputValue('#colour')).toBe('blue');
    expect(await page.inputValue('#password')).toBe('hunter2-hunter2');
    expect(await page.evaluate('clicks')).toBe(1);
    expect(await logged(stage, session)).toEqual([
      ['CLICK_ELEMENT', 'textbox “Colour”', undefined, 'COMPLETED'],
      ['TYPE_TEXT', 'textbox “Colour”', 'blu', 'COMPLETED'],
      ['TYPE_TEXT', 'textbox “Colour”', 'e', 'COMPLETED'],
      ['CLICK_ELEMENT', 'textbox “Password”', undefined, 'COMPLETED'],
      ['TYPE_TEXT', 'textbox “Password”', '[secret]', 'COMPLETED'],
      ['CLICK_ELEMENT', 'button “Save it”', undefined, 'COMPLETED'],
    ]);
    const [, , , , typed, saved] = await stage.store.journal.ofPersons(sessionId, 0);
    expect(saved).toMatchObject({ by: 'person', effect: 'commit', target: { role: 'button', name: 'Save it' } });
    expect(typed!.parameters.text).toBe('[secret]');
    expect((await everyRow(stage.databaseUrl)).filter((row) => row.includes('hunter2'))).toEqual([]);
    // The session goes on by a message that any worker delivers, and by the page as it is.
    expect(await stage.store.controlMessages.ofSession(sessionId)).toMatchObject([
      { name: 'resume', state: 'pending' },
    ]);
    expect(JSON.stringify(await session.look())).toContain('blue');
  } finally {
    await workers.stop();
  }
});

test('commands that were decided before a takeover are not run after it; those that were done stay so', async () => {
  const workers = persons(stage);
  try {
    const { session, takeoverId } = await takenOver(stage, PAGE);
    const control = controlOf(stage, session);
    await control.takeoverInput(session.sessionId, { takeoverId, acts: numbered([at(COLOUR), text('red')]) });
    await control.handBack(session.sessionId, { takeoverId });
    await ended(stage, session);
    // While it is paused no command of the session begins, and afterwards no act of the person.
    const { outcomes: paused } = await session.run([a('CLICK_ELEMENT', { selector: 'role=button[name="Save it"]' })], {
      turn: 1,
    });
    expect(paused[0]!.status).toBe('skipped');
    await session.pause(false);
    await expect(
      control.takeoverInput(session.sessionId, { takeoverId, acts: numbered([at(SAVE)], 3) }),
    ).rejects.toMatchObject({ kind: 'wrong-state' });
    const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: 'role=button[name="Save it"]' })]);
    expect(outcomes[0]).toMatchObject({ status: 'failed', message: expect.stringContaining('a person has taken') });
    expect(await session.page().evaluate('clicks')).toBe(0);
    await session.did([a('CLICK_ELEMENT', { selector: 'role=button[name="Save it"]' })], { turn: 1 });
    expect(await session.page().evaluate('clicks')).toBe(1);
  } finally {
    await workers.stop();
  }
});

test('an act that a dead worker had begun is not repeated, and those behind it are done by another worker', async () => {
  const { session, takeoverId } = await takenOver(stage, PAGE);
  const { sessionId, runId } = session;
  const { store } = stage;
  // The first worker dies between the intent and the click.
  await store.takeovers.add(sessionId, takeoverId, numbered([at(SAVE), at(COLOUR), text('green'), at(SAVE)]));
  await store.journal.intend(
    sessionId,
    { runId, epoch: session.lease!.epoch },
    {
      commandId: `person.${takeoverId}.1`,
      stepIndex: 0,
      turn: 0,
      position: 1,
      action: 'CLICK_ELEMENT',
      parameters: { selector: 'role=button[name="Save it"]' },
      effect: 'commit',
      pageUrl: session.page().url(),
      by: 'person',
      act: { takeoverId, number: 1 },
    },
    [],
  );
  await stage.worker().attachments.closeAll();
  const workers = persons(stage, 'second');
  try {
    // The person goes on meanwhile, and repeats what has no answer.
    await eventually('all acts are begun', async () => {
      await store.takeovers.add(sessionId, takeoverId, numbered([at(SAVE)]));
      return (await store.journal.ofPersons(sessionId, 0)).length === 4;
    });
    await controlOf(stage, session).handBack(sessionId, { takeoverId });
    await ended(stage, session);
    const page = stage.worker('second').attachments.current(sessionId)!.page;
    expect(await page.evaluate('clicks')).toBe(1);
    expect(await page.inputValue('#colour')).toBe('green');
    const entries = await store.journal.ofPersons(sessionId, 0);
    expect(entries.map(({ status }) => status)).toEqual(['unknown', 'done', 'done', 'done']);
    expect(await store.journal.ofStep(sessionId, 0)).toHaveLength(1);
  } finally {
    await workers.stop();
  }
});

test('a takeover in which nothing is done is handed back at its limit, one that was resumed has ended', async () => {
  const { session } = await takenOver(stage, PAGE);
  const { session: other } = await takenOver(stage, PAGE);
  const workers = persons(stage, 'first', 1500);
  try {
    await eventually('it was seen as open', async () => (await stage.store.takeovers.get(other.sessionId))!.opened);
    await other.pause(false);
    expect(await ended(stage, session)).toMatchObject({ end: 'time-limit' });
    expect(await ended(stage, other)).toMatchObject({ end: 'resumed' });
    expect(await stage.store.controlMessages.ofSession(other.sessionId)).toEqual([]);
  } finally {
    await workers.stop();
  }
});

test('a takeover that was requested while the one before was handed back has the session paused once more', async () => {
  const { session, takeoverId } = await takenOver(stage, PAGE);
  const { sessionId } = session;
  const { store } = stage;
  const workers = persons(stage);
  try {
    await controlOf(stage, session).handBack(sessionId, { takeoverId });
    await ended(stage, session);
  } finally {
    await workers.stop();
  }
  // The session is still paused, so nobody asks it to pause; then the resume of the first reaches it.
  const next = randomUUID();
  await controlOf(stage, session).takeOver(sessionId, { takeoverId: next, by: 'bob' });
  await session.pause(false);
  const later = persons(stage);
  try {
    await eventually('a pause is asked for', async () => {
      const messages = await store.controlMessages.ofSession(sessionId);
      return messages.some(({ name }) => name === 'pause');
    });
    expect(await controlOf(stage, session).takeover(sessionId)).toMatchObject({ takeoverId: next, state: 'requested' });
  } finally {
    await later.stop();
  }
});

test('one person at a time has a browser, and a session without one or with a question is refused', async () => {
  const { session, takeoverId } = await takenOver(stage, PAGE);
  const control = controlOf(stage, session);
  expect(await control.takeOver(session.sessionId, { takeoverId })).toMatchObject({ state: 'open', by: 'ada' });
  await expect(control.takeOver(session.sessionId, { takeoverId: randomUUID() })).rejects.toThrow(/^ada has taken/);
  await stage.store.takeovers.end(session.sessionId, takeoverId, 'handed-back');
  expect(await control.takeOver(session.sessionId, { takeoverId })).toMatchObject({ state: 'ended' });
  const without = await stage.newSession();
  await expect(control.takeOver(without.sessionId, { takeoverId: randomUUID() })).rejects.toThrow('has no browser now');
  await expect(control.takeover(without.sessionId)).rejects.toMatchObject({ kind: 'not-found' });
});
