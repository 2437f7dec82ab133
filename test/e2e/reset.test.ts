/**
 * `temporal workflow reset` on the whole product: the session goes on in the run that Temporal has made, or, where it had
 * ended, in a session of its own from that step on. The log says so, and nothing is done twice.
 */
import { randomUUID } from 'node:crypto';
import { StreamEventType, type StreamEvent } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { eventsOf, ofActivity, resetWorkflow, type HistoryEvent } from '../support/reset-workflow';
import { pause } from '../support/until-taken';
import { ONE_OF_EACH, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { COMMAND_STARTED, STEP_COMPLETED, STEP_STARTED, WARNING_ISSUED, WORKFLOW_PAUSED } = StreamEventType;

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const reset = async (sessionId: string, fits?: (event: HistoryEvent) => boolean): Promise<string> =>
  await resetWorkflow(stack.engineTemporal, sessionId, fits);

const warnings = (log: readonly LogRecord[]): string[] =>
  log.filter(({ type }) => type === WARNING_ISSUED).map(({ data }) => data.warning!.message);
const of = (log: readonly LogRecord[], type: StreamEvent['type']): (number | undefined)[] =>
  log.filter((record) => record.type === type).map(({ stepIndex }) => stepIndex);

async function presses(run: string): Promise<number> {
  const answer = await fetch(`${stack.shop}/admin/counter?run=${run}`);
  return ((await answer.json()) as { count: number }).count;
}

async function startPressing(run: string, ...more: string[]): Promise<string> {
  const steps = [`Open ${stack.shop}/parts/counter?run=${run}`, 'Click "Add one"', ...more];
  return (await stack.client.start({ steps })).sessionId;
}

const begins = (sessionId: string, stepIndex: number) =>
  recordOf(
    stack,
    sessionId,
    `step ${stepIndex}`,
    (each) => each.type === COMMAND_STARTED && each.stepIndex === stepIndex,
  );

/** The session that a reset of this one has led to. */
async function forkOf(sessionId: string, runId: string): Promise<string> {
  const outcome: unknown = await stack.engineTemporal.workflow.getHandle(sessionId, runId).result();
  return (outcome as { sessionId: string }).sessionId;
}

test.each([
  ['to its first command', ofActivity('runCommands')],
  ['inside the step that runs', undefined],
  ['to its beginning', ofActivity('openSession')],
])(
  'a session that is reset %s while it runs goes on, and presses nothing twice',
  async (_, point) => {
    const run = randomUUID();
    const sessionId = await startPressing(run, 'Wait 3 seconds', 'Click "Add one"');
    await begins(sessionId, 2);
    const runId = await reset(sessionId, point);
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    expect(await presses(run)).toBe(2);
    const log = await stack.logOf(sessionId);
    expect(orderProblems(log)).toEqual([]);
    expect(warnings(log)).toContainEqual(expect.stringContaining('was reset in Temporal, and goes on in another run'));
    expect([of(log, STEP_STARTED), of(log, STEP_COMPLETED)]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    const outcome: unknown = await stack.engineTemporal.workflow.getHandle(sessionId, runId).result();
    expect(outcome).toMatchObject({ sessionId, status: 'COMPLETED', completedSteps: 4 });
  },
  120_000,
);

test('a paused session that is reset goes on waiting, and ends after it is resumed', async () => {
  const run = randomUUID();
  const sessionId = await startPressing(run, 'Wait 10 seconds', 'Click "Add one"');
  await begins(sessionId, 2);
  await pause(stack, sessionId);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  const runId = await reset(sessionId);
  await eventually(
    'the new run has the session',
    async () => (await stack.engineStore.sessions.get(sessionId))?.runId === runId,
  );
  await eventually('it is resumed', async () => {
    await stack.client.resume(sessionId).catch(() => undefined);
    return (await stack.client.get(sessionId)).session.status !== 'PAUSED';
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await presses(run)).toBe(2);
}, 120_000);

test('a task that is reset between two of its calls goes on with its conversation', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start({
    steps: [
      `Open ${stack.shop}/parts/counter?run=${run}`,
      { task: 'Click "Add one". Wait 3 seconds. Click "Add one".' },
    ],
  });
  await recordOf(
    stack,
    sessionId,
    'the wait',
    ({ type, data }) => type === COMMAND_STARTED && JSON.stringify(data).includes('WAIT'),
  );
  await reset(sessionId, ofActivity('runModelTurn'));
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await presses(run)).toBe(2);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
}, 120_000);

test('a session that has failed and is reset goes on as another one from that step, on its own checkpoint', async () => {
  const run = randomUUID();
  const sessionId = await startPressing(run, 'Click "Not there yet"', 'Click "Add one"');
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const runId = await reset(sessionId, ofActivity('runCommands'));
  const forkId = await forkOf(sessionId, runId);
  const log = await stack.logOf(forkId);
  expect(warnings(log)).toContainEqual(
    `The workflow of session ${sessionId} was reset in Temporal after its end. This session goes on from there: 2 of its steps are done and not done again.`,
  );
  // The steps that were done are noted, and the one that was not is tried again.
  expect([of(log, STEP_COMPLETED), of(log, COMMAND_STARTED).includes(0)]).toEqual([[0, 1], false]);
  expect((await stack.client.get(forkId)).session.metadata).toMatchObject({ forkedFrom: { sessionId, step: 1 } });
  expect(await presses(run)).toBe(1);
  expect((await stack.client.get(sessionId)).session.status).toBe('FAILED');
}, 120_000);

test.each([
  ['to its first command', ofActivity('runCommands')],
  ['to its last workflow task', undefined],
])(
  'a session that is complete and is reset %s has nothing left to do',
  async (_, point) => {
    const run = randomUUID();
    const sessionId = await startPressing(run);
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    const forkId = await forkOf(sessionId, await reset(sessionId, point));
    expect(await endOf(stack, forkId)).toBe('COMPLETED');
    expect(await presses(run)).toBe(1);
  },
  120_000,
);

test('a step that was cut off behind a click waits for a person before it is begun anew', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start({
    steps: [
      `Open ${stack.shop}/parts/counter?run=${run}`,
      { task: 'Click "Add one". Wait 60 seconds. Click "Add one".' },
    ],
  });
  await recordOf(
    stack,
    sessionId,
    'the wait',
    ({ type, data }) => type === COMMAND_STARTED && JSON.stringify(data).includes('WAIT'),
  );
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  const forkId = await forkOf(sessionId, await reset(sessionId, ofActivity('runModelTurn')));
  const held = await recordOf(stack, forkId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  expect(held.data.message).toMatch(/It had done 1 command .*Add one.* may do that again\. Look first\./);
  expect(await presses(run)).toBe(1);
  await stack.client.cancel(forkId);
  expect(await endOf(stack, forkId)).toBe('CANCELLED');
}, 120_000);

test('a session that was cancelled while it was paused goes on as another one too', async () => {
  const run = randomUUID();
  const sessionId = await startPressing(run, 'Wait 10 seconds', 'Click "Add one"');
  await begins(sessionId, 2);
  await pause(stack, sessionId);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  const waits = await eventsOf(stack.engineTemporal, sessionId);
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  const last = waits.at(-1)!.eventId!.toString();
  const runId = await reset(sessionId, ({ eventId }) => eventId!.toString() === last);
  const forkId = await forkOf(sessionId, runId);
  expect(await endOf(stack, forkId)).toBe('COMPLETED');
  expect(await presses(run)).toBe(2);
}, 120_000);
