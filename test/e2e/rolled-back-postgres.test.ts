/** The database is put back to before sessions began that have ended since: Temporal and the host know them still. */
import { randomUUID } from 'node:crypto';
import { takeFrozenCopy } from '../../bench/chaos/rolled-back/frozen-copy';
import { StreamEventType } from '../../contracts/events/stream-event';
import { isOpen } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { takeSnapshot } from '../support/put-back';
import { ONE_OF_EACH, demoRequest, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { WORKFLOW_COMPLETED, WORKFLOW_FAILED } = StreamEventType;

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

async function buy(...more: string[]): Promise<{ run: string; sessionId: string }> {
  const run = randomUUID();
  const request = demoRequest(stack, run);
  const { sessionId } = await stack.client.start({ ...request, steps: [...(request.steps as string[]), ...more] });
  return { run, sessionId };
}

it('sessions that had ended are known as such again, and until then an error names who knows them', async () => {
  const copy = takeFrozenCopy(stack, 'postgres');
  const bought = await buy();
  const failing = await buy('Click "No such button"');
  expect(await endOf(stack, bought.sessionId)).toBe('COMPLETED');
  expect(await endOf(stack, failing.sessionId)).toBe('FAILED');
  // The log ends before the workflow does.
  await stack.engineTemporal.workflow.getHandle(bought.sessionId).result();
  const engine = stack.pidOf('engine-1');
  process.kill(engine, 'SIGSTOP');
  copy.putBack();

  const unknown = await eventually('the database answers', async () => {
    const error = await stack.client.get(bought.sessionId).then(String, (cause: Error) => cause.message);
    return error.includes('has no session') && error;
  });
  expect(unknown).toContain('Temporal has its workflow (completed)');
  expect(unknown).toMatch(/this host has noted \d+ of its commands .* the last of them [A-Z_]+/);

  process.kill(engine, 'SIGCONT');
  for (const [{ sessionId, run }, status] of [
    [bought, 'COMPLETED'],
    [failing, 'FAILED'],
  ] as const) {
    await eventually(`${sessionId} is known again`, async () => {
      const found = await stack.client.state(sessionId).catch(() => undefined);
      return found !== undefined && !isOpen(found.status);
    });
    const log = await stack.logOf(sessionId);
    expect(log.at(-1)!.type).toBe(status === 'COMPLETED' ? WORKFLOW_COMPLETED : WORKFLOW_FAILED);
    const details = await stack.client.get(sessionId);
    expect(details.session.status).toBe(status);
    const placed = (await stack.engineStore.journal.ofSession(sessionId)).find(
      ({ target }) => target?.['name'] === 'Place order',
    );
    expect(placed).toMatchObject({ status: 'done' });
    expect(await stack.orders(run)).toHaveLength(1);
  }
  const { error } = await stack.client.get(failing.sessionId);
  expect(error).toMatchObject({
    message: expect.stringContaining('No such button'),
    suggestedAction: expect.stringContaining('The database was put back to an earlier time'),
  });
}, 180_000);

it('a session whose end alone the database has forgotten gets its end again, and nothing is done twice', async () => {
  const { run, sessionId } = await buy();
  await eventually('the order is placed', async () => (await stack.orders(run)).length > 0);
  const snapshot = await takeSnapshot(stack.databaseUrl, sessionId);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const stepsDone = (await stack.client.get(sessionId)).stepResults.map(({ success }) => success);
  await snapshot.putBack();
  expect(isOpen((await stack.client.state(sessionId)).status)).toBe(true);
  await eventually('the end is written again', async () => !isOpen((await stack.client.state(sessionId)).status));
  const { session, stepResults } = await stack.client.get(sessionId);
  expect(session.status).toBe('COMPLETED');
  // What its last steps came to is known by the workflow alone.
  expect(stepResults.map(({ success }) => success)).toEqual(stepsDone);
  expect((await stack.logOf(sessionId)).at(-1)!.type).toBe(WORKFLOW_COMPLETED);
  expect(await stack.orders(run)).toHaveLength(1);
}, 180_000);
