/** Processes and Chromes are killed in the middle of the demo: it completes, and exactly one order is counted. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { attend } from '../support/attend';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { chromesOf, killAndAwait, killRenderers } from '../support/kill';
import { demoRequest, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, { wants: (name) => name !== 'api' });
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const WELL = { status: 'COMPLETED', error: undefined, orders: 1, problems: [] };

/** What became of a session that ended with this status. */
async function outcomeOf(sessionId: string, run: string, status: string): Promise<object> {
  const { error } = await stack.client.get(sessionId);
  const orders = (await stack.orders(run)).length;
  return { status, error: error?.message, orders, problems: orderProblems(await stack.logOf(sessionId)) };
}

/** Each pair without a twin that could take over, one of each kind, and the keeper. */
const DEATHS: [stepIndex: number, names: string[]][] = [
  [1, ['browser-1', 'browser-2']],
  [3, ['engine-1', 'engine-2']],
  [4, ['engine-1', 'browser-1']],
  [5, ['keeper']],
  [6, ['browser-1', 'browser-2']],
];

it('a kill -9 of both workers of a kind, of one of each, and of the keeper costs moments alone', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  const ending = attend(stack, { sessionId, run });
  ending.catch(() => {});
  for (const [stepIndex, names] of DEATHS) {
    await recordOf(
      stack,
      sessionId,
      `a command of step ${stepIndex}`,
      (record) => record.type === StreamEventType.COMMAND_STARTED && record.stepIndex === stepIndex,
    );
    await killAndAwait(stack, names);
  }
  expect(await outcomeOf(sessionId, run, await ending)).toEqual(WELL);
});

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

const MOMENTS = {
  'while the page is opened': at(0, COMMAND_STARTED),
  'while the sign-in is typed': at(1, COMMAND_STARTED, 'INPUT_TEXT'),
  'when it has signed in': at(1, STEP_COMPLETED),
  'when it has put the shoe into the cart': at(4, COMMAND_COMPLETED, 'CLICK_ELEMENT'),
  'in the middle of the form': at(6, COMMAND_COMPLETED, 'INPUT_TEXT'),
  'when the form is filled in': at(6, STEP_COMPLETED),
  'when the order is placed': at(7, COMMAND_COMPLETED, 'CLICK_ELEMENT'),
} satisfies Record<string, Moment>;

/** What the workers keep beside their attachments; a folder may go while it is read. */
async function filesOfWorkers(): Promise<string[]> {
  const root = join(stack.home, 'tmp', 'local');
  return await eventually('the folders can be read', () => {
    try {
      return readdirSync(root).flatMap((worker) => readdirSync(join(root, worker), { recursive: true }).map(String));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });
}

it("a kill -9 of seven Chromes of a session costs moments, and leaves nothing in workers' folders", async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(lastingDemo(run));
  // A Chrome that dies in the middle of a click may leave nobody who knows what came of it but the shop.
  const ending = attend(stack, { sessionId, run });
  ending.catch(() => {});
  const killed = new Set<number>();
  for (const [moment, isReached] of Object.entries(MOMENTS)) {
    await recordOf(stack, sessionId, moment, isReached);
    const pid = await eventually('it has a Chrome', () =>
      chromesOf(stack, sessionId).find((each) => !killed.has(each)),
    );
    process.kill(pid, 'SIGKILL');
    killed.add(pid);
  }
  expect(await outcomeOf(sessionId, run, await ending)).toEqual(WELL);
  // What is left says more than that something is.
  await eventually('their folders are empty', async () => (await filesOfWorkers()).length === 0).catch(() => {});
  expect(await filesOfWorkers()).toEqual([]);
}, 300_000);

it('a renderer that dies costs no order and no page in silence: the log says why', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(lastingDemo(run));
  const ending = attend(stack, { sessionId, run });
  ending.catch(() => {});
  await recordOf(stack, sessionId, 'the middle of the form', MOMENTS['in the middle of the form']);
  killRenderers(await eventually('it has a Chrome', () => chromesOf(stack, sessionId)[0]));
  expect(await outcomeOf(sessionId, run, await ending)).toEqual(WELL);
  const warnings = (await stack.logOf(sessionId)).filter(({ type }) => type === StreamEventType.WARNING_ISSUED);
  expect(warnings.map(({ data }) => data.warning?.message)).toContainEqual(
    expect.stringMatching(
      /^The browser of this session was lost\. The process that shows the page has died: .* Another one is started/,
    ),
  );
}, 120_000);

it('two sessions that share a Chrome go on in another when it and its keeper are killed', async () => {
  const runs = [randomUUID(), randomUUID()];
  const started = await Promise.all(
    runs.map(async (run) => {
      const request = lastingDemo(run);
      const shared = { ...request, config: { ...request.config, isolation: 'context' as const } };
      const { sessionId } = await stack.client.start(shared);
      const ending = attend(stack, { sessionId, run });
      ending.catch(() => {});
      return { sessionId, run, ending };
    }),
  );
  const begun = ({ type, stepIndex }: LogRecord) => type === StreamEventType.COMMAND_STARTED && stepIndex === 3;
  for (const { sessionId } of started) await recordOf(stack, sessionId, 'a command of step 3', begun);
  await killAndAwait(stack, ['keeper']);
  const pids = new Set(started.flatMap(({ sessionId }) => chromesOf(stack, sessionId)));
  expect(pids.size).toBe(1);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  for (const { sessionId, run, ending } of started) expect(await outcomeOf(sessionId, run, await ending)).toEqual(WELL);
});
