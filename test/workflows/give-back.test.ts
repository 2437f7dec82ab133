/** A pause that lasts gives the browser back. Proves what the workflow makes of it, whatever comes in which moment. */
import { failing, aLease, held, planned, ran, says, untilStopped, type Script } from '../support/fake-activities';
import type { AcquireInput, ReleaseBrowserInput, Lease } from '../../activities/signatures/browser-activities';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { eventually } from '../support/eventually';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

/** Names the timer of a pause in Temporal's history. */
const PATIENCE = 'release the browser if the pause lasts';
const click = [planned('c1'), planned('c2')];
const back = (isPageChanged: boolean) => async () => aLease({ epoch: 2, isPageChanged });
const usual = async () => aLease();

/** A session that is paused in the middle of its first batch, by a setting that gives its browser back at once. */
async function pausedInBatch(script: Partial<Script> = {}): Promise<Session> {
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      decide: [says('PROCEED', click)],
      runCommands: [untilStopped],
      acquireBrowser: [usual, back(false)],
      pauseReleaseMs: 20,
      ...script,
    },
  );
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  return session;
}

/** What the log says of the browser. */
function browserNews(session: Session): unknown[] {
  return session.seen.log.flatMap(({ data }) => (data.details?.['browser'] as unknown) ?? []);
}

async function givenBack(session: Session): Promise<void> {
  await eventually('the browser is given back', () => browserNews(session).includes('given-back'));
}

const batches = (session: Session) =>
  session.seen.batches.map(({ lease, commands }) => [lease.epoch, ...commands.map((each) => each.commandId)]);
const called = (session: Session, what: RegExp) => session.seen.calls.filter((call) => what.test(call));

test('a pause that lasts gives the browser back, and its batch goes on in another on the same page', async () => {
  const session = await pausedInBatch();
  await givenBack(session);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('browser-released');
  expect(session.seen.acquired.map(({ returning, lost }) => [returning, lost])).toEqual([
    [undefined, undefined],
    [{ stepIndex: 0 }, undefined],
  ]);
  expect(batches(session)).toEqual([
    [1, 'c1', 'c2'],
    [2, 'c1', 'c2'],
  ]);
  expect(session.seen.asked).toHaveLength(1);
  expect(browserNews(session)).toEqual(['given-back', 'same-page']);
  expect(called(session, /releaseBrowser|closeBrowser/)).toEqual([
    'releaseBrowser by worker',
    'closeBrowser by worker',
  ]);
});

test("a batch for a page that is gone is not run: the model is asked anew, at no iteration's cost", async () => {
  const session = await pausedInBatch({
    decide: [says('PROCEED', click), says('PROCEED', [planned('d1')])],
    acquireBrowser: [usual, back(true)],
  });
  await givenBack(session);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([
    [1, 'c1', 'c2'],
    [2, 'd1'],
  ]);
  expect(session.seen.asked.map(({ turn, mayAct }) => [turn, mayAct])).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(browserNews(session)).toEqual(['given-back', 'changed-page']);
});

test('the last iteration of a step survives a pause that changed its page', async () => {
  const session = await harness.start(
    { steps: [{ instruction: 'Buy a bean', maxIterations: 1 }] },
    {
      decide: [says('PROCEED', click), says('PROCEED', [planned('d1')])],
      runCommands: [untilStopped],
      acquireBrowser: [usual, back(true)],
      pauseReleaseMs: 20,
    },
  );
  await eventually('the batch runs', () => session.seen.batches.length === 1);
  await session.handle.executeUpdate('pause');
  await givenBack(session);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a pause between two steps comes back before the next step is decided', async () => {
  const reply = held<object, ReturnType<typeof says>>();
  const session = await harness.start(
    { steps: ['Buy a bean', 'Pay'], config: { enableReflection: false } },
    {
      decide: [says('PROCEED', [planned('a')]), says('PROCEED', [planned('b')])],
      runCommands: [
        async (input) => {
          await reply.answer({});
          return ran(input);
        },
      ],
      acquireBrowser: [usual, back(true)],
      pauseReleaseMs: 20,
    },
  );
  await reply.asked;
  await session.handle.signal('pause');
  reply.give(says('PROCEED'));
  await givenBack(session);
  expect(session.seen.asked).toHaveLength(1);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ completedSteps: 2 });
  expect(called(session, /acquire|decide/)).toEqual(
    expect.arrayContaining(['acquireBrowser', 'decide', 'acquireBrowser', 'decide']),
  );
  expect(session.seen.calls.lastIndexOf('acquireBrowser')).toBeLessThan(session.seen.calls.lastIndexOf('decide'));
  expect(session.seen.acquired[1]?.returning).toEqual({ stepIndex: 1 });
});

test('a browser that is only being started when the pause comes is given back when it is there', async () => {
  const browser = held<AcquireInput, Lease>();
  const reply = held<object, ReturnType<typeof says>>();
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    { decide: [reply.answer], acquireBrowser: [browser.answer, back(false)], pauseReleaseMs: 20 },
  );
  await Promise.all([browser.asked, reply.asked]);
  await session.handle.executeUpdate('pause');
  reply.give(says('PROCEED', click));
  // Before it is paused the batch waits for the browser, as without this setting.
  browser.give(aLease());
  await givenBack(session);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session)).toEqual([[2, 'c1', 'c2']]);
});

test('a session that is paused before there is a browser at all takes one when it is resumed', async () => {
  const browser = held<AcquireInput, Lease>();
  const opening = held<object, void>();
  const session = await harness.start(
    { steps: ['Buy a bean'] },
    {
      openSession: [opening.answer],
      decide: [says('PROCEED', click)],
      acquireBrowser: [browser.answer, back(false)],
      pauseReleaseMs: 20,
    },
  );
  await opening.asked;
  await session.handle.signal('pause');
  opening.give(undefined);
  await session.published('WORKFLOW_PAUSED');
  await browser.asked;
  await eventually('the pause has lasted', async () => (await session.firedTimers()).includes(PATIENCE));
  await session.handle.executeUpdate('resume');
  browser.give(aLease());
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(browserNews(session)).toEqual([]);
  expect(session.seen.acquired).toHaveLength(1);
});

test('a resume while the browser is being given back waits for that, and comes back with another', async () => {
  const giving = held<ReleaseBrowserInput, void>();
  const session = await pausedInBatch({ releaseBrowser: [giving.answer] });
  await giving.asked;
  await session.handle.executeUpdate('resume');
  giving.give(undefined);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session).map(([epoch]) => epoch)).toEqual([1, 2]);
});

test('a session that is cancelled while its browser is away ends at once, with nothing left to release', async () => {
  const session = await pausedInBatch();
  await givenBack(session);
  await session.handle.executeUpdate('cancel');
  expect((await session.failure().catch((error: unknown) => error)) as Error).toMatchObject({
    message: expect.stringMatching(/cancel/i),
  });
  expect(called(session, /closeBrowser/)).toEqual([]);
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});

test('a session that is cancelled while its browser is being given back ends when that is through', async () => {
  const giving = held<ReleaseBrowserInput, void>();
  const session = await pausedInBatch({ releaseBrowser: [giving.answer] });
  await giving.asked;
  await session.handle.executeUpdate('cancel');
  giving.give(undefined);
  await expect(session.handle.result()).rejects.toThrow(/cancel/i);
  expect(called(session, /closeBrowser/)).toEqual([]);
});

test('a pause right after the resume finds the browser that was on its way, and gives it back as well', async () => {
  const browser = held<AcquireInput, Lease>();
  const session = await pausedInBatch({
    acquireBrowser: [usual, browser.answer, async () => aLease({ epoch: 3, isPageChanged: false })],
  });
  await givenBack(session);
  await session.handle.executeUpdate('resume');
  await browser.asked;
  await session.handle.executeUpdate('pause');
  await eventually(
    'it is paused again',
    () => session.types().filter((type) => type === 'WORKFLOW_PAUSED').length === 2,
  );
  browser.give(aLease({ epoch: 2, isPageChanged: false }));
  await eventually(
    'it is given back again',
    () => browserNews(session).filter((news) => news === 'given-back').length === 2,
  );
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(batches(session).map(([epoch]) => epoch)).toEqual([1, 3]);
});

test('a browser that can not be given back now is kept, and tried again later', async () => {
  const session = await pausedInBatch({ releaseBrowser: [failing('EX001'), failing('EX001')] });
  await givenBack(session);
  expect(browserNews(session)).toEqual(['kept', 'given-back']);
  expect(called(session, /releaseBrowser/)).toEqual([
    'releaseBrowser by worker',
    'releaseBrowser by host',
    'releaseBrowser by worker',
  ]);
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a browser that was lost during the pause is replaced when the session is resumed', async () => {
  const gone = failing('EX001', 'the browser is gone', BROWSER_GONE);
  const session = await pausedInBatch({
    releaseBrowser: [gone, gone],
    acquireBrowser: [usual, back(true)],
    decide: [says('PROCEED', click), says('PROCEED')],
  });
  await eventually('it is reported', () => browserNews(session).includes('lost'));
  await session.handle.executeUpdate('resume');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a short pause, and one by a setting of 0, keep the browser', async () => {
  const session = await pausedInBatch({ pauseReleaseMs: 0 });
  await session.handle.executeUpdate('resume');
  await session.handle.result();
  expect(called(session, /releaseBrowser/)).toEqual([]);
  expect(await session.firedTimers()).not.toContain(PATIENCE);
});
