/**
 * The clocks of all our processes jump an hour ahead, and then two hours back, in the middle of a session. Proves: it
 * completes, orders once, keeps its one lease epoch and its artifacts, and its log stays in order in `seq` and in time.
 */
import { randomUUID } from 'node:crypto';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { CLOCK_BY_FILE, shiftClocks } from '../../runtime/clock';
import { takenForDead } from '../support/presumed-dead';
import {
  ONE_OF_EACH,
  demoWithPictures,
  endOf,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

const HOUR = 3_600_000;
const LONGEST_BATCH = 8;

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack(CLOCK_BY_FILE, ONE_OF_EACH);
}, 180_000);
afterAll(async () => {
  await stack.stop();
}, 120_000);

/** Only processes that were started with it have the wrong clock, so the API's own answer shows that they have. */
async function minutesOffAtApi(): Promise<number> {
  const answer = (await (await fetch(`${stack.api}/health`)).json()) as { metadata: { timestamp: string } };
  return Math.round((Date.parse(answer.metadata.timestamp) - Date.now()) / 60_000);
}

it('a session over which the clocks jump an hour ahead and then behind completes as if they had not', async () => {
  const run = randomUUID();
  const before = await stack.engineStore.sessions.list({ page: 1, pageSize: 1 });
  const { sessionId } = await stack.client.start(demoWithPictures(stack, run));
  await recordOf(stack, sessionId, 'the third step', ({ stepIndex }) => stepIndex === 2);
  const lease = (await stack.engineStore.leases.get(sessionId))!;
  shiftClocks(stack.home, HOUR);
  await recordOf(stack, sessionId, 'the fifth step', ({ stepIndex }) => stepIndex === 4);
  expect(await minutesOffAtApi()).toBe(60);
  expect(await stack.engineStore.leases.get(sessionId)).toMatchObject({ workerId: lease.workerId });
  shiftClocks(stack.home, -HOUR);
  await recordOf(stack, sessionId, 'the seventh step', ({ stepIndex }) => stepIndex === 6);
  expect(await minutesOffAtApi()).toBe(-60);

  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const row = (await stack.engineStore.sessions.get(sessionId))!;
  expect(row.closed).toBe(true);
  // Each taking of a lease would have been another epoch.
  const stalls = await takenForDead(stack, sessionId);
  expect(row.epoch).toBeLessThanOrEqual(lease.epoch + stalls);
  expect(await stack.orders(run)).toHaveLength(1);

  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const times = log.map(({ at }) => Date.parse(at));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(HOUR / 2);
  const commands = log.filter(({ type }) => type === 'COMMAND_COMPLETED' || type === 'COMMAND_FAILED');
  // With a batch that was cut off go the pictures that it had still to take.
  const missing = commands.length - (await stack.client.screenshots(sessionId)).length;
  expect(Math.abs(missing)).toBeLessThanOrEqual(stalls * LONGEST_BATCH);
  expect(before.total).toBe(0);
}, 240_000);
