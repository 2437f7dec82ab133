import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { RunCommandsInput } from '../../activities/signatures/browser-activities';
import { eventually } from '../support/eventually';
import { planned, ran, says, untilStopped } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const one = { steps: ['Buy a bean'] };
const click = [planned('c1'), planned('c2')];

async function isCancelled(session: Session): Promise<boolean> {
  const error: unknown = await session.handle.result().catch((reason: unknown) => reason);
  return error instanceof WorkflowFailedError && error.cause instanceof CancelledFailure;
}

describe.each<[how: string, cancel: (session: Session) => Promise<unknown>]>([
  ['the update', (session) => session.handle.executeUpdate('cancel')],
  ['the signal', (session) => session.handle.signal('cancel')],
  ['Temporal itself', (session) => session.handle.cancel()],
])('a cancellation by %s', (_, cancel) => {
  test('[S1.A30] ends the open step as cancelled, gives the browser back, and ends the log', async () => {
    const session = await harness.start(
      { steps: ['Buy a bean', 'Pay'] },
      { decide: [says('PROCEED', click)], runCommands: [untilStopped] },
    );
    await eventually('the batch runs', () => session.seen.batches.length === 1);
    await cancel(session);
    expect(await isCancelled(session)).toBe(true);
    expect(session.types()).toEqual([
      'WORKFLOW_STARTED',
      'SESSION_STATUS',
      'STEP_STARTED',
      'STEP_FAILED',
      'SESSION_STATUS',
      'WORKFLOW_FAILED',
    ]);
    const [failed, status] = session.seen.log.slice(3);
    expect(failed?.data).toMatchObject({
      step: { stepIndex: 0, status: 'CANCELLED' },
      error: { code: 'TL004', moduleId: 'task-loop', retryable: false, details: { isCancelled: true } },
    });
    expect(status?.data).toMatchObject({ details: { status: 'CANCELLED' } });
    expect(session.seen.stepResults).toMatchObject([{ status: 'CANCELLED' }]);
    expect(session.seen.calls.slice(-2)).toEqual(['closeBrowser by worker', 'publishEvents']);
    expect(Object.assign({}, ...session.seen.patches)).toMatchObject({ status: 'CANCELLED', closed: true });
    expect((await session.handle.describe()).status.name).toBe('CANCELLED');
  });

  test('ends a paused session as well', async () => {
    const session = await harness.start(one, { decide: [says('PROCEED', click)], runCommands: [untilStopped] });
    await eventually('the batch runs', () => session.seen.batches.length === 1);
    await session.handle.executeUpdate('pause');
    await session.published('WORKFLOW_PAUSED');
    await cancel(session);
    expect(await isCancelled(session)).toBe(true);
    expect(session.types().slice(-3)).toEqual(['STEP_FAILED', 'SESSION_STATUS', 'WORKFLOW_FAILED']);
    expect(Object.assign({}, ...session.seen.patches)).toMatchObject({ paused: false, closed: true });
  });
});

test('a cancellation waits for the running command of one batch only, however many batches there were', async () => {
  const session = await harness.start(one, {
    decide: [1, 2, 3, 4].map(() => says('RETRY', click)),
    runCommands: [...[1, 2, 3].map(() => async (input: RunCommandsInput) => ran(input)), untilStopped],
  });
  await eventually('the fourth batch runs', () => session.seen.batches.length === 4);
  await session.handle.cancel();
  expect(await isCancelled(session)).toBe(true);
  const timers = (await session.history()).filter((type) => type === 'TIMER_STARTED');
  // The limits of the session and of the step, the one around the start of the browser, the wait for the command, and
  // the wait before the last record.
  expect(timers.length).toBeLessThanOrEqual(5);
});
