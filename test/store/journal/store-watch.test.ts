/** What an engine worker does once Temporal is known to have been put back to an earlier time. */
import { Connection } from '@temporalio/client';
import { pino } from 'pino';
import { VERIFY_STORE_SIGNAL } from '../../../contracts/queues';
import { startStoreWatch } from '../../../worker/store-watch';
import { aSession } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres', 'temporal'] });
});
afterAll(() => stack.stop());

test('a session that the list of a Temporal put back lacks is asked what it knows, like all others', async () => {
  const [store, client] = [await stack.store(), await stack.temporal()];
  const sessionId = await aSession(store, { isActive: true });
  // The list has running sessions: one of another type stands for one that it does not have yet.
  const handle = await client.workflow.start('unlisted', { workflowId: sessionId, taskQueue: 'nobody' });
  const probe = Connection.lazy({ address: stack.temporalAddress, interceptors: [] });
  const watch = startStoreWatch({ store, client, probe, logger: pino({ enabled: false }) });
  try {
    watch.temporalWasPutBack();
    const signals = await eventually('the workflow is asked', async () => {
      const { events } = await handle.fetchHistory();
      const names = events?.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? []) ?? [];
      return names.length > 0 ? names : undefined;
    });
    expect(new Set(signals)).toEqual(new Set([VERIFY_STORE_SIGNAL]));
    const [row] = await store.sessions.takeForCheck(1, 0);
    expect(row).toMatchObject({ sessionId, askedForMs: expect.any(Number), historyLength: null });
  } finally {
    await watch.stop();
    await probe.close();
  }
});
