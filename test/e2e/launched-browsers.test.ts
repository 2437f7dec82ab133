/** The demo in a browser that Playwright launches, whose workers, browser and keeper are killed under it. */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { attend } from '../support/attend';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { chromesOf, killAndAwait } from '../support/kill';
import { installedPrograms } from '../support/launched-programs';
import { demoWithPictures, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const [installed] = installedPrograms();
const type = installed?.browserType ?? 'firefox';
/** A fact of the machine: no build of Playwright's can be fetched by a test. */
const whereInstalled = installed === undefined ? describe.skip : describe;

let stack: WholeStack;
beforeAll(async () => {
  if (installed !== undefined) stack = await startWholeStack({}, { wants: (name) => !/^(?:api|engine-2)$/.test(name) });
}, 120_000);
afterAll(() => stack?.stop(), 60_000);

const at =
  (stepIndex: number, action: string) =>
  ({ type: kind, ...record }: LogRecord): boolean =>
    kind === StreamEventType.COMMAND_COMPLETED &&
    record.stepIndex === stepIndex &&
    record.data.command?.action === action;

whereInstalled(`in ${type}, where one is installed`, () => {
  test('the demo outlives its workers, its browser and its keeper', async () => {
    const run = randomUUID();
    const request = demoWithPictures(stack, run);
    const { sessionId } = await stack.client.start({ ...request, config: { ...request.config, browserType: type } });
    const ending = attend(stack, { sessionId, run });
    ending.catch(() => {});
    await recordOf(stack, sessionId, 'the sign-in', at(1, 'INPUT_TEXT'));
    await killAndAwait(stack, ['browser-1', 'browser-2']);
    await recordOf(stack, sessionId, 'the shoe in the cart', at(4, 'CLICK_ELEMENT'));
    const [pid] = await eventually('it has a browser', () => {
      const pids = chromesOf(stack, sessionId);
      return pids.length > 0 && pids;
    });
    process.kill(-pid!, 'SIGKILL');
    await recordOf(stack, sessionId, 'a field of the form', at(6, 'INPUT_TEXT'));
    await killAndAwait(stack, ['keeper']);
    await ending;
    const log = await stack.logOf(sessionId);
    // What fails here is shown by its records, not by its status.
    const failed = log.filter(({ type: kind }) => kind === StreamEventType.STEP_FAILED);
    expect([log.at(-1)?.type, ...failed]).toEqual([StreamEventType.WORKFLOW_COMPLETED]);
    expect((await stack.orders(run)).length).toBe(1);
    expect(orderProblems(log)).toEqual([]);
    const warnings = log.filter((record) => record.type === StreamEventType.WARNING_ISSUED);
    expect(JSON.stringify(warnings[0])).toContain(`runs in ${type}`);
    expect(await stack.engineStore.artifacts.list(sessionId, 'screenshot')).not.toEqual([]);
    await eventually('its browser has ended', () => chromesOf(stack, sessionId).length === 0);
  }, 300_000);
});
