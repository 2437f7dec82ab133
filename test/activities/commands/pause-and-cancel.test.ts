import { a } from '../../support/browser-session';
import { blocking, openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const ADD = a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' });

test('a cancelled wait ends at once, is no failure, and continues when the batch runs again', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const batch = session.plan([ADD, a('WAIT_FOR', { text: 'Count: 2', seconds: 30 }), ADD]);
  const output = await session.run(batch, {
    timeoutMs: 40_000,
    whileRunning: async (cancel) => {
      await eventually('the wait has begun', async () => (await session.journal()).length === 3);
      cancel();
    },
  });
  expect(output).toMatchObject({ isInterrupted: true });
  expect(output.outcomes.map(({ status }) => status)).toEqual(['done', 'skipped', 'skipped']);
  expect(await session.kinds(3)).toEqual(['COMMAND_STARTED', 'PAGE_NAVIGATED', 'COMMAND_COMPLETED', 'COMMAND_STARTED']);

  await session.page().getByRole('button', { name: 'Add one' }).click();
  await session.did(batch);
  expect(session.count()).toBe(3);
  expect((await session.kinds()).filter((kind) => kind === 'COMMAND_FAILED')).toEqual([]);
});

test('a cancellation between fills lets the current one finish and starts no other', async () => {
  const session = await stage.newSession();
  await session.open('/parts/form');
  const batch = session.plan(
    Array.from({ length: 200 }, (_, n) => a('INPUT_TEXT', { selector: '#name', text: `text ${n}` })),
  );
  const output = await session.run(batch, {
    whileRunning: async (cancel) => {
      await eventually('some are done', async () => (await session.journal()).length > 4);
      cancel();
    },
  });
  expect(output.isInterrupted).toBe(true);
  const done = output.outcomes.filter(({ status }) => status === 'done').length;
  expect(done).toBeLessThan(200);
  expect(await session.page().inputValue('#name')).toMatch(new RegExp(`^text (${done - 1}|${done})$`));
  expect((await session.kinds()).includes('COMMAND_FAILED')).toBe(false);
});

test('a paused session starts no command, and then the same batch continues without repeating any', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const batch = session.plan([ADD, ADD]);
  await session.did(batch.slice(0, 1));
  await session.pause(true);
  const output = await session.run(batch);
  expect(output).toMatchObject({ isInterrupted: true, outcomes: [{ status: 'done' }, { status: 'skipped' }] });
  expect(session.count()).toBe(1);
  await session.pause(false);
  await session.did(batch);
  expect(session.count()).toBe(2);
});

test('a click under way is never interrupted', async () => {
  const session = await stage.newSession();
  const busy = `${blocking(3000)}; document.title = 'pressed'`;
  await session.open(stage.page('/busy', `<button onclick="${busy}">Think</button>`));
  const batch = session.plan([a('CLICK_ELEMENT', { selector: 'role=button[name="Think"]' }), a('GET_DOM')]);
  const output = await session.run(batch, {
    whileRunning: async (cancel) => {
      await eventually('the click has begun', async () => (await session.journal()).length >= 2);
      cancel();
    },
  });
  expect(output).toMatchObject({ isInterrupted: true, outcomes: [{ status: 'done' }, { status: 'skipped' }] });
  expect(await session.page().title()).toBe('pressed');
});
