/** Processes are killed in the middle of the demo: it completes, and exactly one order is counted. */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack();
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

/** The worker process that drives the session's browser now, by the lease. */
async function kill(names: string[]): Promise<void> {
  const pids = names.map((name) => stack.pidOf(name));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await eventually('the supervisor has started them again', () =>
    names.every((name, index) =>
      stack.stack.processes().some((row) => row.name === name && row.alive && row.pid !== pids[index]),
    ),
  );
}

it.each([
  ['both browser workers in the middle of signing in', ['browser-1', 'browser-2'], 1],
  ['both browser workers while the form is filled in', ['browser-1', 'browser-2'], 6],
  ['both engine workers', ['engine-1', 'engine-2'], 3],
  ['one worker of each kind', ['engine-1', 'browser-1'], 4],
])('a kill -9 of %s costs nothing but a moment', async (_, names, stepIndex) => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  await recordOf(
    stack,
    sessionId,
    `a command of step ${stepIndex}`,
    (record) => record.type === StreamEventType.COMMAND_STARTED && record.stepIndex === stepIndex,
  );
  await kill(names);
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
});

it('a kill -9 of the keeper leaves the Chrome running, and its successor goes on with it', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  await recordOf(
    stack,
    sessionId,
    'a command of step 6',
    (record) => record.type === StreamEventType.COMMAND_STARTED && record.stepIndex === 6,
  );
  await kill(['keeper']);
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
});
