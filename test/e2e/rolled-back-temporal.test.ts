/**
 * Temporal is put back to an earlier time under engine workers that run on, with workflows in their memory that are ahead of
 * their histories. Each session goes on or ends with its reason, and nothing is done twice.
 */
import { randomUUID } from 'node:crypto';
import { takeFrozenCopy } from '../../bench/chaos/rolled-back/frozen-copy';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { pause } from '../support/until-taken';
import { ONE_OF_EACH, demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { STEP_STARTED, WORKFLOW_PAUSED, WARNING_ISSUED } = StreamEventType;

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

interface Buyer {
  run: string;
  sessionId: string;
}

/** Places one order, and then waits for so long. */
async function startBuyer(seconds: number): Promise<Buyer> {
  const run = randomUUID();
  const request = demoRequest(stack, run);
  const { sessionId } = await stack.client.start({ ...request, steps: [...request.steps, `Wait ${seconds} seconds`] });
  return { run, sessionId };
}

const begins = (sessionId: string, stepIndex: number) =>
  recordOf(stack, sessionId, `step ${stepIndex}`, (each) => each.type === STEP_STARTED && each.stepIndex === stepIndex);
/** The wait behind the order. */
const LAST_STEP = 10;

it('no order is placed twice, each session ends, and the log says which were run again', async () => {
  const busy = await startBuyer(1);
  const paused = await startBuyer(1);
  await begins(paused.sessionId, 1);
  await pause(stack, paused.sessionId);
  await recordOf(stack, paused.sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  // Its history has nothing yet, when the worker's memory will have all of it: the worker takes what comes for long known.
  const engine = stack.pidOf('engine-1');
  process.kill(engine, 'SIGSTOP');
  // Long enough that both others end before the copy is put back, on a busy machine too.
  const left = await startBuyer(20);
  const copy = takeFrozenCopy(stack, 'temporal');
  process.kill(engine, 'SIGCONT');
  const forgotten = await startBuyer(60);
  await stack.client.resume(paused.sessionId);
  await Promise.all([left, forgotten].map(({ sessionId }) => begins(sessionId, LAST_STEP)));
  expect(await endOf(stack, busy.sessionId)).toBe('COMPLETED');
  expect(await endOf(stack, paused.sessionId)).toBe('COMPLETED');
  copy.putBack();

  expect(await endOf(stack, left.sessionId)).toBe('COMPLETED');
  const log = await stack.logOf(left.sessionId);
  expect(orderProblems(log)).toEqual([]);
  const warnings = log.filter(({ type }) => type === WARNING_ISSUED).map(({ data }) => data.warning?.message);
  expect(warnings).toEqual([expect.stringContaining('It runs again from its beginning')]);
  expect(await endOf(stack, forgotten.sessionId)).toBe('FAILED');
  expect((await stack.client.get(forgotten.sessionId)).error).toMatchObject({
    message: expect.stringContaining('Temporal has forgotten the workflow of this session'),
    suggestedAction: expect.stringContaining(`surefoot fork ${forgotten.sessionId}`),
  });
  for (const { run } of [busy, paused, left, forgotten]) expect(await stack.orders(run)).toHaveLength(1);
  await eventually('no workflow of an ended session runs', async () => {
    const running = await stack.engineTemporal.workflowService.countWorkflowExecutions({
      namespace: 'default',
      query: `ExecutionStatus = 'Running'`,
    });
    return Number(running.count) === 0;
  });
}, 240_000);
