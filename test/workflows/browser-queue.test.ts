import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { eventually } from '../support/eventually';
import { aLease, failing, held, planned, says } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const one = { steps: ['Buy a bean'] };
const click = [planned('c1')];

/** The priority of every browser that was asked for, as Temporal got it. */
async function prioritiesOf(session: Session) {
  const { events } = await session.handle.fetchHistory();
  return (events ?? [])
    .map((event) => event.activityTaskScheduledEventAttributes)
    .filter((task) => task?.activityType?.name === 'acquireBrowser')
    .map((task) => ({ key: task?.priority?.priorityKey, tenant: task?.priority?.fairnessKey }));
}

test('the wait for a browser is no active time: it may be longer than every limit of the session', async () => {
  const browser = held<unknown, ReturnType<typeof aLease>>();
  const limit = 14_000;
  const timeouts = {
    workflowTimeoutMs: limit,
    stepTimeoutMs: limit,
    // Together the limit of the activity that the test holds back.
    requestTimeoutMs: limit,
    connectionTimeoutMs: limit,
  };
  const session = await harness.start(
    { ...one, config: { timeouts } },
    {
      decide: [says('PROCEED', click)],
      acquireBrowser: [browser.answer],
      updateQueuePosition: [3, 2, 1].map((position) => ({ position })),
    },
  );
  // It looks its place up after 1 s, then 5 s and 10 s later: the wait alone is longer than the limits.
  const lookUps = (): number => session.seen.calls.filter((call) => call === 'updateQueuePosition').length;
  // A session that ends meanwhile is shown with its error, not waited for.
  await Promise.race([
    eventually('it has waited for longer than its limits are', () => lookUps() === 3, 60_000),
    session.handle.result().then((outcome) => {
      throw new Error(`It ended before it had a browser: ${JSON.stringify(outcome)}`);
    }),
  ]);
  browser.give(aLease());
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const reports = session.seen.log.filter(({ data }) => data.details?.['waitedMs'] !== undefined);
  expect(reports).toMatchObject([
    { type: 'SESSION_STATUS', data: { message: expect.stringMatching(/^Got a browser after \d+ s/) } },
  ]);
  await session.keepHistory('waited-for-browser');
}, 90_000);

test('a browser that a host is already starting is no wait in the queue', async () => {
  const browser = held<unknown, ReturnType<typeof aLease>>();
  const session = await harness.start(one, { decide: [says('PROCEED', click)], acquireBrowser: [browser.answer] });
  await eventually('the store is asked', () => session.seen.calls.includes('updateQueuePosition'));
  browser.give(aLease());
  await session.handle.result();
  expect(session.seen.log.some(({ data }) => data.details?.['waitedMs'] !== undefined)).toBe(false);
});

test('a session overlooked while browsers are free is queued anew, and its earlier task cancelled', async () => {
  const forgotten = held<unknown, ReturnType<typeof aLease>>();
  const overlooked = { position: 1, isOverlooked: true as const };
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    acquireBrowser: [forgotten.answer],
    updateQueuePosition: [overlooked, overlooked],
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(await prioritiesOf(session)).toHaveLength(2);
  const { events = [] } = await session.handle.fetchHistory();
  expect(events!.filter((event) => event.activityTaskCancelRequestedEventAttributes != null)).toHaveLength(1);
  forgotten.give(aLease());
});

test('a session that is cancelled while it waits for a browser asks for no other one', async () => {
  const browser = held<unknown, ReturnType<typeof aLease>>();
  const session = await harness.start(one, {
    decide: [says('PROCEED', click)],
    acquireBrowser: [browser.answer],
    updateQueuePosition: [{ position: 1, isOverlooked: true }, { position: 1 }],
  });
  await eventually('it waits', () => session.seen.calls.includes('updateQueuePosition'));
  await session.handle.cancel();
  await expect(session.handle.result()).rejects.toThrow('Workflow execution cancelled');
  expect(await prioritiesOf(session)).toHaveLength(1);
  browser.give(aLease());
});

test('priority and tenant go to Temporal, and a session that has lost its browser goes first', async () => {
  const gone = failing('EX001', 'The Chrome is gone.', BROWSER_GONE);
  const session = await harness.start(
    { ...one, priority: 4, tenant: 'acme' },
    { decide: [says('PROCEED', click)], runCommands: [gone] },
  );
  await session.handle.result();
  expect(await prioritiesOf(session)).toEqual([
    { key: 4, tenant: 'acme' },
    { key: 1, tenant: 'acme' },
  ]);
});
