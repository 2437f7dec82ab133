/**
 * Pause, resume, cancel and what is done to a session from Temporal's side. Proves: nothing starts while paused, also
 * over a restart of API and workers; cancel ends browser and log; terminate ends cleanly in the log.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { killAndAwait } from '../support/kill';
import { pause } from '../support/until-taken';
import { ONE_OF_EACH, demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const { COMMAND_STARTED, WORKFLOW_PAUSED, WORKFLOW_RESUMED, WORKFLOW_FAILED, SESSION_STATUS, STEP_FAILED } =
  StreamEventType;

/** A session that is busy for a while, waiting for something that does not come. */
async function startBusy(): Promise<string> {
  const steps = [`Open ${stack.shop}/parts/counter`, 'Wait 30 seconds', 'Click "Add one"'];
  const { sessionId } = await stack.client.start({ steps });
  await recordOf(stack, sessionId, 'the wait', ({ type, stepIndex }) => type === COMMAND_STARTED && stepIndex === 1);
  return sessionId;
}

async function browserIsGone(sessionId: string): Promise<void> {
  await eventually('the lease is gone', async () => (await stack.engineStore.leases.get(sessionId)) === null);
}

it('starts no command between WORKFLOW_PAUSED and resume, though every worker and the API die', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  await recordOf(stack, sessionId, 'the third step', ({ stepIndex }) => stepIndex === 2);
  expect((await pause(stack, sessionId))?.pauseRequested).not.toBe(false);
  const paused = await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  await expect(stack.client.pause(sessionId)).rejects.toMatchObject({
    kind: 'wrong-state',
    message: expect.stringContaining('PAUSED'),
  });

  await killAndAwait(stack, ['engine-1', 'browser-1', 'api']);
  const answer = await eventually('the API answers', async () => {
    const response = await fetch(`${stack.api}/v1/sessions/${sessionId}`).catch(() => undefined);
    return response?.ok === true ? ((await response.json()) as { data: { session: { status: string } } }) : undefined;
  });
  expect(answer.data.session.status).toBe('PAUSED');

  // An update needs a worker to answer it. While they are starting it may be taken although its answer came too late, and
  // the next one is then refused: what counts is that the session goes on.
  await eventually('the session goes on', async () => {
    await stack.client.resume(sessionId).catch(() => undefined);
    return (await stack.client.get(sessionId)).session.status !== 'PAUSED';
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const log = await stack.logOf(sessionId);
  const resumed = log.find(({ type }) => type === WORKFLOW_RESUMED)!;
  expect(log.filter(({ type, seq }) => type === COMMAND_STARTED && seq > paused.seq && seq < resumed.seq)).toEqual([]);
  expect(orderProblems(log)).toEqual([]);
  expect(await stack.orders(run)).toHaveLength(1);
});

it.each([
  ['our own cancel', (id: string) => stack.client.cancel(id)],
  ["Temporal's cancel", (id: string) => stack.engineTemporal.workflow.getHandle(id).cancel()],
  ['the cancel signal', (id: string) => stack.engineTemporal.workflow.getHandle(id).signal('cancel')],
])('[S1.A30] %s ends the session, its browser and its log as cancelled', async (_, cancel) => {
  const sessionId = await startBusy();
  await cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  await browserIsGone(sessionId);
  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  expect(log.slice(-3).map(({ type, data }) => [type, data.step?.status ?? data.message])).toEqual([
    [STEP_FAILED, 'CANCELLED'],
    [SESSION_STATUS, 'CANCELLED'],
    [WORKFLOW_FAILED, 'The session was cancelled.'],
  ]);
  const closed = await eventually('the workflow is closed', async () => {
    const { status } = await stack.engineTemporal.workflow.getHandle(sessionId).describe();
    return status.name !== 'RUNNING' && status.name;
  });
  expect(closed).toBe('CANCELLED');
  await expect(stack.client.cancel(sessionId)).rejects.toMatchObject({
    kind: 'wrong-state',
    message: expect.stringContaining('CANCELLED'),
  });
});

it('cancels a session that is paused', async () => {
  const sessionId = await startBusy();
  await pause(stack, sessionId);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
});

it('notices a session that was terminated in Temporal: failed, browser gone, terminal event last', async () => {
  const sessionId = await startBusy();
  await stack.engineTemporal.workflow.getHandle(sessionId).terminate('by a test');
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  expect((await stack.client.get(sessionId)).error?.message).toContain('terminated');
  await browserIsGone(sessionId);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
});

it('runs steps that are added while it runs', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter?run=${run}`, 'Wait 2 seconds'],
  });
  expect(await stack.client.addSteps(sessionId, { steps: ['Click "Add one"', 'Expect "1"'] })).toMatchObject({
    totalSteps: 4,
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const { session, stepResults } = await stack.client.get(sessionId);
  expect(session.metadata).toMatchObject({ totalSteps: 4 });
  expect(stepResults.map(({ success }) => success)).toEqual([true, true, true, true]);
  await expect(stack.client.addSteps(sessionId, { steps: ['Go back'] })).rejects.toMatchObject({ kind: 'wrong-state' });
});

it('accepts messages with 202 without an engine worker, and applies each once, in order, later', async () => {
  const sessionId = await startBusy();
  const release = stack.stack.hold('engine-1');
  process.kill(stack.pidOf('engine-1'), 'SIGKILL');
  const key = randomUUID();
  const add = (steps: string[]) => sendMessage(sessionId, 'steps', { steps }, key);
  const first = await add(['Expect "1"']);
  expect([first.status, first.replayed, first.body.data]).toEqual([
    202,
    null,
    {
      status: 'ACTIVE',
      pauseRequested: false,
      totalSteps: 3,
      messageId: expect.any(String),
      messageState: 'pending',
      reason: expect.any(String),
    },
  ]);
  const { messageId } = first.body.data;
  expect(first.location).toBe(`/v1/sessions/${sessionId}/messages/${messageId}`);
  const again = await add(['Expect "1"']);
  expect([again.status, again.replayed, again.body.data.messageId]).toEqual([202, 'true', messageId]);
  const other = await add(['Expect "2"']);
  expect([other.status, other.body.error.message]).toEqual([422, expect.stringContaining('Idempotency-Key')]);
  const paused = await sendMessage(sessionId, 'pause');
  expect([paused.status, paused.body.data.messageState]).toEqual([202, 'pending']);
  // Without a key the same message is the one that waits already.
  expect((await sendMessage(sessionId, 'pause')).body.data.messageId).toBe(paused.body.data.messageId);

  await killAndAwait(stack, ['api']);
  release();
  const applied = await eventually('both messages are applied', async () => {
    const messages = (await stack.client.messages(sessionId)).filter(({ state }) => state === 'applied');
    return messages.length === 2 && messages;
  });
  expect(applied.map(({ name, answer }) => [name, answer])).toEqual([
    ['addSteps', expect.objectContaining({ totalSteps: 4 })],
    ['pause', expect.objectContaining({ pauseRequested: true })],
  ]);
  const replayed = await add(['Expect "1"']);
  expect([replayed.status, replayed.replayed, replayed.body.data]).toMatchObject([
    202,
    'true',
    { messageId, messageState: 'applied', totalSteps: 4 },
  ]);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  expect((await stack.client.get(sessionId)).session.metadata).toMatchObject({ totalSteps: 4 });
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  // The answer of a message outlives its session.
  expect((await add(['Expect "1"'])).body.data).toMatchObject({ messageId, messageState: 'applied', totalSteps: 4 });
});

it('takes added steps of heavy characters up to 1 MB each, and refuses a larger one with 413', async () => {
  const tasks = (count: number) => ({ steps: Array.from({ length: count }, () => ({ task: '字'.repeat(9900) })) });
  const sessionId = await startBusy();
  for (const totalSteps of [34, 65]) {
    const { status, body } = await sendMessage(sessionId, 'steps', tasks(31));
    expect(status).toBe(202);
    // On a busy machine the session may take the message only after the request was answered.
    const answer = await eventually('the addition is applied', async () => {
      const messages = await stack.client.messages(sessionId);
      return messages.find(({ messageId, state }) => messageId === body.data.messageId && state === 'applied')?.answer;
    });
    expect(answer).toMatchObject({ totalSteps });
  }
  const refused = await sendMessage(sessionId, 'steps', tasks(36));
  expect([refused.status, refused.body.error.message]).toEqual([413, expect.stringContaining('1048576')]);
  const { plan } = (await stack.engineStore.sessions.get(sessionId))!;
  expect(plan.steps.slice(3).map(({ instruction }) => instruction.length)).toEqual(Array(62).fill(9900));
  const { events } = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
  expect(Math.max(...events!.map((event) => JSON.stringify(event).length))).toBeLessThan(500_000);
  await expect(stack.client.start(tasks(36))).rejects.toMatchObject({ kind: 'too-large' });
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
});

const BodySchema = z.object({ data: z.any().optional(), error: z.any().optional() });

async function sendMessage(sessionId: string, what: string, body?: object, key?: string) {
  const response = await fetch(`${stack.api}/v1/sessions/${sessionId}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  const [replayed, location] = [headers.get('idempotency-replayed'), headers.get('location')];
  return { status, replayed, location, body: BodySchema.parse(await response.json()) };
}
