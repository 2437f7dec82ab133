/** The session's Chrome is killed in the middle of the demo: it completes, and exactly one order is counted. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StreamEventType } from '../../contracts/events';
import type { LogRecord } from '../../contracts/log';
import type { StartRequest } from '../../contracts/start-request';
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

/** The Chrome of the session, by the marker that the keeper keeps beside its profile. */
function chromeOf(sessionId: string): number {
  const root = join(stack.home, 'browsers');
  for (const host of readdirSync(root)) {
    for (const folder of readdirSync(join(root, host))) {
      try {
        const text = readFileSync(join(root, host, folder, 'browser.json'), 'utf8');
        const marker = JSON.parse(text) as { sessionId?: string; pid: number };
        if (marker.sessionId === sessionId) return marker.pid;
      } catch {
        // A folder that is being made or removed.
      }
    }
  }
  throw new Error(`Expected a Chrome of ${sessionId}, found none.`);
}

/** On a busy machine the moment is heard of late: the Chrome is still there a while after the last step of the demo. */
function lastingDemo(run: string): StartRequest {
  const request = demoRequest(stack, run);
  return { ...request, steps: [...request.steps, 'Wait 3 seconds'] };
}

const { COMMAND_STARTED, COMMAND_COMPLETED, STEP_COMPLETED } = StreamEventType;
type Moment = (record: LogRecord) => boolean;

const at =
  (stepIndex: number, type: StreamEventType, action?: string): Moment =>
  (record) =>
    record.type === type &&
    record.stepIndex === stepIndex &&
    (action === undefined || record.data.command?.action === action);

it.each<[string, Moment]>([
  ['while the page is opened', at(0, COMMAND_STARTED)],
  ['while the sign-in is typed', at(1, COMMAND_STARTED, 'INPUT_TEXT')],
  ['when it has signed in', at(1, STEP_COMPLETED)],
  ['when it has put the shoe into the cart', at(4, COMMAND_COMPLETED, 'CLICK_ELEMENT')],
  ['in the middle of the form', at(6, COMMAND_COMPLETED, 'INPUT_TEXT')],
  ['when the form is filled in', at(6, STEP_COMPLETED)],
  ['when the order is placed', at(7, COMMAND_COMPLETED, 'CLICK_ELEMENT')],
])('a kill -9 of its Chrome %s costs nothing but a moment', async (_, moment) => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(lastingDemo(run));
  await recordOf(stack, sessionId, 'the moment', moment);
  process.kill(chromeOf(sessionId), 'SIGKILL');
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
});

test('what a worker had of a lost Chrome goes from its temporary folder, also when another one has the session then', async () => {
  const { sessionId } = await stack.client.start(lastingDemo(randomUUID()));
  await recordOf(stack, sessionId, 'the sign-in', at(1, STEP_COMPLETED));
  process.kill(chromeOf(sessionId), 'SIGKILL');
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const root = join(stack.home, 'tmp', 'local');
  expect(readdirSync(root)).toHaveLength(2);
  // A folder may go while it is read: then it is read again.
  const left = async (): Promise<string[]> =>
    await eventually('the folders can be read', () => {
      try {
        return readdirSync(root).flatMap((worker) => readdirSync(join(root, worker), { recursive: true }).map(String));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    });
  // What is left says more than that something is.
  await eventually('the folders of both workers are empty', async () => (await left()).length === 0).catch(() => {});
  expect(await left()).toEqual([]);
});
