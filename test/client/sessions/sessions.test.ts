import type { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { connectTemporal } from '../../../service/connection/connect-temporal';
import { ClientError, type Sessions } from '../../../service/port/port';
import { createSessions } from '../../../service/sessions';
import { SessionStatus } from '../../../contracts/sessions/session';
import { sessionIdOf } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import { openStore } from '../../../store/store';
import { startDatabaseProxy } from '../../support/database-proxy';
import { eventually } from '../../support/eventually';
import { aPlan, aSession, endSession, thoughts } from '../../api/fixture';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
let sessions: Sessions;
/** The same store, with a Temporal that nobody listens for. */
let withoutTemporal: Sessions;
const clients: Client[] = [];

beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
  clients.push(
    connectTemporal({ address: stack.temporalAddress, namespace: 'default' }),
    connectTemporal({ address: '127.0.0.1:1', namespace: 'default' }),
  );
  sessions = createSessions({ store, temporal: clients[0]! });
  withoutTemporal = createSessions({ store, temporal: clients[1]! });
});
afterAll(async () => {
  for (const client of clients) await client.connection.close();
  await stack.stop();
});

async function refusal(call: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientError) return error;
  throw new Error(`Expected a ClientError, got ${String(error)}.`);
}

test('a start while Temporal is away is refused as such; the same key starts it when it is back', async () => {
  const request = { steps: ['look'] };
  const options = { idempotencyKey: 'later' };
  const error = await refusal(withoutTemporal.start(request, options));
  expect(error).toMatchObject({ kind: 'unavailable', code: 'SP002' });
  expect(error.message).toContain("Temporal can't be reached");
  const started = await sessions.start(request, options);
  expect(started).toMatchObject({ isNew: false, status: SessionStatus.INITIALIZING });
  const workflow = await clients[0]!.workflow.getHandle(started.workflowId).describe();
  expect(workflow.status.name).toBe('RUNNING');
});

test('steps added without a key, whose message was stored without an answer, are added once', async () => {
  const proxy = await startDatabaseProxy(stack.databaseUrl);
  const behind = await openStore({ databaseUrl: proxy.url, home: stack.home });
  const { addSteps } = createSessions({ store: behind, temporal: clients[1]! });
  const sessionId = await aSession(store);
  const add = () => addSteps(sessionId, { steps: ['look again'] });
  try {
    await proxy.make({ loseAnswerTo: 'insert into control_messages' });
    expect(await refusal(add())).toMatchObject({ kind: 'unavailable', code: 'CM002' });
    await eventually(
      'the message is stored',
      async () => (await store.controlMessages.ofSession(sessionId)).length === 1,
    );
    await proxy.make('none');
    const receipt = await eventually('the database is reached again', () => add().catch(() => undefined));
    expect(receipt).toMatchObject({ messageState: 'pending', isReplayed: true });
    expect(await store.controlMessages.ofSession(sessionId)).toHaveLength(1);
    // They may be meant to be added twice.
    await add();
    expect(await store.controlMessages.ofSession(sessionId)).toHaveLength(2);
  } finally {
    await behind.close();
    proxy.close();
  }
});

const howMany = async () => (await sessions.list({ page: 1, pageSize: 1 })).total;

test('a start that does not reach Temporal leaves no row without a key, and with one a row to start', async () => {
  const before = await howMany();
  const refused = await refusal(withoutTemporal.start({ steps: ['look'], variables: { name: 'Ada' } }));
  expect(refused).toMatchObject({ kind: 'unavailable', code: 'SP002' });
  expect(await howMany()).toBe(before);
  await refusal(withoutTemporal.start({ steps: ['look'] }, { idempotencyKey: 'again' }));
  expect(await howMany()).toBe(before + 1);
});

test('reads answer without Temporal, and so does every message to a session that has ended', async () => {
  const sessionId = await aSession(store);
  await store.log.append(sessionId, thoughts(1, 3));
  await endSession(store, sessionId, SessionStatus.FAILED);
  expect(await withoutTemporal.state(sessionId)).toMatchObject({ status: 'FAILED', lastSeq: 4, isEnded: true });
  expect((await withoutTemporal.get(sessionId)).session.status).toBe('FAILED');
  expect(await withoutTemporal.events(sessionId, 0, 10)).toHaveLength(4);
  for (const message of ['pause', 'resume', 'cancel'] as const) {
    expect(await refusal(withoutTemporal[message](sessionId))).toMatchObject({ kind: 'wrong-state', state: 'FAILED' });
  }
});

test('a message to a session without a workflow, or without Temporal, is pending till the session ends', async () => {
  const sessionId = await aSession(store);
  expect(await sessions.pause(sessionId)).toMatchObject({ messageState: 'pending', isReplayed: false });
  const cancelled = await withoutTemporal.cancel(sessionId, { idempotencyKey: 'once' });
  expect(cancelled).toMatchObject({ messageState: 'pending', isReplayed: false });
  await endSession(store, sessionId, SessionStatus.FAILED);
  const refused = await refusal(sessions.cancel(sessionId, { idempotencyKey: 'once' }));
  expect(refused).toMatchObject({ kind: 'wrong-state', state: 'FAILED', isReplayed: true });
  expect(await sessions.messages(sessionId)).toMatchObject([
    { name: 'pause', state: 'refused' },
    { name: 'cancel', state: 'refused', messageId: cancelled.messageId },
  ]);
});

test('a key is one message of one session: the same message again is replayed, another one is refused', async () => {
  const [sessionId, other] = [await aSession(store), await aSession(store)];
  const options = { idempotencyKey: 'key' };
  const { messageId } = await sessions.addSteps(
    sessionId,
    { steps: ['look', { instruction: 'go', maxRetries: 1 }] },
    options,
  );
  const again = await sessions.addSteps(sessionId, { steps: ['look', { maxRetries: 1, instruction: 'go' }] }, options);
  expect(again).toMatchObject({ messageId, isReplayed: true });
  expect(await refusal(sessions.addSteps(sessionId, { steps: ['look'] }, options))).toMatchObject({
    kind: 'key-reused',
  });
  expect(await refusal(sessions.pause(sessionId, options))).toMatchObject({ kind: 'key-reused' });
  expect((await sessions.addSteps(other, { steps: ['look'] }, options)).messageId).not.toBe(messageId);
  const keyless = [
    await sessions.addSteps(other, { steps: ['look'] }),
    await sessions.addSteps(other, { steps: ['look'] }),
  ];
  expect(new Set(keyless.map((each) => each.messageId)).size).toBe(2);
});

test('a reader so slow that events were removed before it had them gets an error, never a gap', async () => {
  const stream = { bufferSize: 10, maxHistorySize: 20, compressionEnabled: false };
  const sessionId = await aSession(store, { steps: ['look'], config: { streamConfig: stream } });
  await store.log.append(sessionId, thoughts(1, 700));
  const following = sessions.follow(sessionId, 0, new AbortController().signal);
  const { value: first } = await following.next();
  expect(first?.at(-1)?.seq).toBe(500);
  const last = await endSession(store, sessionId);
  await store.retention.trimHistories();
  expect(await refusal(following.next())).toMatchObject({ kind: 'gone', firstSeq: last - 19 });
});

test('a namespace that Temporal does not have is named', async () => {
  const client = connectTemporal({ address: stack.temporalAddress, namespace: 'elsewhere' });
  clients.push(client);
  const error = await refusal(createSessions({ store, temporal: client }).start({ steps: ['look'] }));
  expect(error).toMatchObject({ kind: 'unavailable' });
  expect(error.message).toContain('no namespace elsewhere');
});

test('a session that was started in Temporal under a plain name is found by that name', async () => {
  const workflowId = `nightly-${randomUUID()}`;
  const sessionId = sessionIdOf(workflowId);
  await store.sessions.create({ sessionId, workflowId, plan: aPlan() });
  expect(await sessions.state(workflowId)).toMatchObject({ sessionId, workflowId });
});

test('following yields the log from a cursor to its terminal record, live', async () => {
  const sessionId = await aSession(store);
  await store.log.append(sessionId, thoughts(1, 5));
  const seqs: number[] = [];
  for await (const records of sessions.follow(sessionId, 2, new AbortController().signal)) {
    seqs.push(...records.map(({ seq }) => seq));
    if (seqs.at(-1) === 5) await endSession(store, sessionId);
  }
  expect(seqs).toEqual([3, 4, 5, 6]);
});

test('following from beyond the end is over at once, or when the session ends', async () => {
  const sessionId = await aSession(store);
  const batches: unknown[] = [];
  const following = (async () => {
    for await (const records of sessions.follow(sessionId, 50, new AbortController().signal)) batches.push(records);
  })();
  await store.log.append(sessionId, thoughts(1, 2));
  await endSession(store, sessionId);
  await following;
  for await (const records of sessions.follow(sessionId, 3, new AbortController().signal)) batches.push(records);
  expect(batches).toEqual([]);
});

test('every question about an unknown session is not-found', async () => {
  const id = randomUUID();
  const calls = [
    () => sessions.get(id),
    () => sessions.state(id),
    () => sessions.events(id, 0, 1),
    () => sessions.follow(id, 0, new AbortController().signal).next(),
    () => sessions.cancel(id),
    () => sessions.addSteps(id, { steps: ['look'] }),
    () => sessions.command(id, 'x'),
    () => sessions.screenshots(id),
    () => sessions.screenshot(id, 'x'),
  ];
  for (const call of calls) expect(await refusal(call())).toMatchObject({ kind: 'not-found', code: 'CM001' });
});
