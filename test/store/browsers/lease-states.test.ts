import type { Store } from '../../../store/store';
import { aSession } from '../../support/builders';
import { takeSnapshot } from '../../support/put-back';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

const runId = 'run-1';

async function acquire(sessionId: string, hostId = 'here'): Promise<number> {
  return (await store.leases.acquire(sessionId, { runId, scheduledAt: Date.now() }, hostId, 'worker')).epoch;
}

test('a lease that is gone or elsewhere is given up; one unknown to a database put back is forgotten', async () => {
  const leased = await aSession(store, { runId, isActive: true });
  const moved = await aSession(store, { runId, isActive: true });
  const kept = [leased, moved].map((sessionId) => ({ sessionId, epoch: 1 }));
  for (const { sessionId } of kept) expect(await acquire(sessionId)).toBe(1);
  await acquire(moved, 'elsewhere');
  const older = await aSession(store, { runId, isActive: true });
  const snapshot = await takeSnapshot(stack.databaseUrl, older);
  const epoch = await acquire(older);
  await snapshot.putBack();
  const states = await store.hosts.leaseStates('here', [
    ...kept,
    { sessionId: older, epoch },
    { sessionId: 'never heard of', epoch: 1 },
  ]);
  expect([...states]).toEqual(
    expect.arrayContaining([
      [leased, 'leased'],
      [moved, 'given-up'],
      [older, 'forgotten'],
      ['never heard of', 'forgotten'],
    ]),
  );
});
