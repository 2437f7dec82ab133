/** The shop takes an order and the line breaks before its answer: Chromium sends it again, and the key makes it one. */
import { randomUUID } from 'node:crypto';
import { ONE_OF_EACH, demoRequest, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

test('a session that names the shop as an origin places one order over a line that breaks after the order is taken', async () => {
  const run = randomUUID();
  const request = demoRequest(stack, run);
  const executorConfig = { idempotency: { origins: [new URL(stack.shop).origin] } };
  await fetch(`${stack.shop}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'drop-after', path: '/orders', method: 'POST', run, downMs: 0 }),
  });
  const { sessionId } = await stack.client.start({ ...request, config: { ...request.config, executorConfig } });
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  const faults = (await (await fetch(`${stack.shop}/admin/faults`)).json()) as { faults: unknown[] };
  expect(faults.faults).toEqual([]);
  const clicks = (await stack.engineStore.journal.ofSession(sessionId)).filter(({ effect }) => effect === 'commit');
  expect(new Set(clicks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(clicks.length);
  expect(JSON.stringify(await stack.logOf(sessionId))).not.toContain(clicks.at(-1)!.idempotencyKey);
});
