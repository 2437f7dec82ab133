/** Steps that run at once (S1.A25), each as a session of its own: what the log of the session with all of them says. */
import type { NewRecord } from '../../contracts/events/log';
import { failing, held, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const start = (count: number, steps: Script[]): Promise<Session> =>
  harness.start(
    {
      steps: Array.from({ length: count }, (_, index) => `Open https://shop.test/${index + 1}`),
      config: { parallelExecution: true },
    },
    { steps },
  );

const done: Script = { decide: [says('PROCEED')] };
const startedIn = (log: readonly NewRecord[]) =>
  log.filter(({ type }) => type === 'STEP_STARTED').map(({ stepIndex }) => stepIndex);

test('ten steps of a session run at once, and the next one begins when one of them has ended', async () => {
  const firsts = Array.from({ length: 10 }, () => held<unknown, ReturnType<typeof says>>());
  const session = await start(12, [...firsts.map(({ answer }): Script => ({ decide: [answer] })), done, done]);
  await Promise.all(firsts.map(({ asked }) => asked));
  expect(startedIn(session.seen.log)).toEqual(Array.from({ length: 10 }, (_, index) => index));
  firsts[4]!.give(says('PROCEED'));
  await session.published('WORKFLOW_PROGRESS');
  for (const { give } of firsts) give(says('PROCEED'));
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 12 });
  await session.keepHistory('parallel-steps');
  expect(startedIn(session.seen.log)).toEqual(Array.from({ length: 12 }, (_, index) => index));
  const children = session.seen.log.filter(({ type }) => type === 'STEP_COMPLETED').map(({ data }) => data.details);
  expect(new Set(children.map((details) => String(details?.['sessionId']))).size).toBe(12);
  expect(session.types().filter((type) => type.startsWith('WORKFLOW_'))).toContain('WORKFLOW_COMPLETED');
});

test('a session of which steps have failed fails once all have ended, and says which was the first', async () => {
  const last = held<unknown, ReturnType<typeof says>>();
  const refusal = failing('TL004', 'It has no button');
  const fails: Script = { decide: Array.from({ length: 9 }, () => refusal) };
  const session = await start(3, [{ decide: [last.answer] }, fails, fails]);
  await session.published('STEP_FAILED');
  last.give(says('PROCEED'));
  const error = await session.failure();
  expect(error.message).toBe('2 of 3 parallel steps have failed. Step 2: It has no button');
  await session.keepHistory('parallel-steps-failed');
  expect(
    session
      .types()
      .filter((type) => /^STEP_(COMPLETED|FAILED)$/.test(type))
      .toSorted(),
  ).toEqual(['STEP_COMPLETED', 'STEP_FAILED', 'STEP_FAILED']);
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});

test('a pause and a cancel reach the steps, and each that was begun has its end', async () => {
  const session = await start(2, [done, { decide: [held<unknown, ReturnType<typeof says>>().answer] }]);
  await session.published('STEP_COMPLETED');
  await session.handle.executeUpdate('pause');
  await session.published('WORKFLOW_PAUSED');
  await session.handle.executeUpdate('cancel');
  await session.failure().catch(() => {});
  expect((await session.handle.describe()).status.name).toBe('CANCELLED');
  await session.keepHistory('parallel-steps-cancelled');
  const [failed, ...others] = session.seen.log.filter(({ type }) => type === 'STEP_FAILED');
  expect([failed!.stepIndex, failed!.data.step!.status, others]).toEqual([1, 'CANCELLED', []]);
  await expect(session.handle.executeUpdate('addSteps', { args: [{ steps: ['x'] }] })).rejects.toThrow();
});
