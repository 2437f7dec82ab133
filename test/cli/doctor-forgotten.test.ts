import { checkForgotten } from '../../cli/doctor/forgotten';
import { connect, type Sql } from '../../store/database/connect';
import type { Store } from '../../store/store';
import { aSession } from '../support/builders';
import { takeSnapshot } from '../support/put-back';
import { startTestStack, type TestStack } from '../support/stack';

let stack: TestStack;
let store: Store;
let sql: Sql;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
  sql = connect(stack.databaseUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
});

test('doctor names sessions whose commands the database has forgotten, and those that wait for it', async () => {
  const runId = 'run-1';
  const sessionId = await aSession(store, { runId, isActive: true });
  const check = async () => await checkForgotten(sql, stack.home);
  const intent = { commandId: 'c1', stepIndex: 0, turn: 0, position: 0, parameters: {}, pageUrl: '' };
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  await store.journal.intend(sessionId, { runId }, { ...intent, action: 'CLICK_ELEMENT', effect: 'commit' }, []);
  expect(await check()).toMatchObject({ health: 'good' });
  await snapshot.putBack();
  expect(await check()).toMatchObject({ health: 'bad', message: expect.stringContaining(sessionId) });

  const [noted] = await store.journal.forgotten(sessionId);
  const recalled = { intent: noted!.intent, intendedAt: noted!.at, epoch: 0, status: 'unknown' as const };
  await store.journal.recall(sessionId, { runId }, [recalled], () => [], noted!);
  const waitingFor = { pausedFor: 'rolled-back-store', message: 'Look.' } as const;
  await store.log.append(sessionId, [], { guard: { runId }, patch: { waitingFor } });
  const found = await check();
  expect(found).toMatchObject({ health: 'poor', message: expect.stringContaining(sessionId) });
  expect(found.message).toContain('resume');
});
