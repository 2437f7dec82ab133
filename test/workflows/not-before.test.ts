import { says } from '../support/fake-activities';
import { useWorkflowHarness } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const HOUR_MS = 3_600_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

test('a session waits for its time without a browser, and is paused and cancelled as any other', async () => {
  const notBefore = inMs(HOUR_MS);
  const session = await harness.start({ steps: ['Buy a bean'], notBefore }, {});
  await session.published('SESSION_STATUS', `Waiting until ${notBefore}.`);
  await session.handle.executeUpdate('pause');
  expect(session.types()).not.toContain('STEP_STARTED');
  await session.handle.executeUpdate('resume');
  await session.handle.executeUpdate('cancel');
  await session.failure().catch(() => {});
  expect((await session.handle.describe()).status.name).toBe('CANCELLED');
  expect(session.types()).not.toContain('STEP_STARTED');
  expect(session.seen.calls.join()).not.toMatch(/browser/i);
  expect(Object.assign({}, ...session.seen.patches)).toMatchObject({ status: 'CANCELLED', closed: true });
});

test('a session begins at its time by itself, and its limit counts from then on', async () => {
  const notBefore = inMs(5000);
  const session = await harness.start(
    { steps: ['Buy a bean'], notBefore, config: { timeouts: { workflowTimeoutMs: 4000 } } },
    { decide: [says('PROCEED')] },
  );
  await session.handle.result();
  expect(await session.firedTimers()).toContain(`begin at ${notBefore}`);
  const begun = session.seen.log.find(({ type }) => type === 'STEP_STARTED');
  expect(Date.parse(begun!.at)).toBeGreaterThanOrEqual(Date.parse(notBefore));
});

test('a time that has passed holds nothing up', async () => {
  const session = await harness.start(
    { steps: ['Buy a bean'], notBefore: '2026-01-01T00:00:00Z' },
    { decide: [says('PROCEED')] },
  );
  await session.handle.result();
  expect(await session.firedTimers()).toEqual([]);
});
