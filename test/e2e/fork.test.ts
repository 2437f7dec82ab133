/** A session that goes on from a step of another one, on the whole product and its shop. */
import { createApiClient, type ApiClient } from '../../client/http/api-client';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const STEPS = [
  'Open ${shop}/parts/counter?run=forked',
  'Click "Add one"',
  'Click "Add one"',
  'Expect "Count"',
  'Open ${shop}/parts/form',
  'Type "${who}" into Name',
];

let stack: WholeStack;
let api: ApiClient;
let original: string;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  api = createApiClient(stack.api);
  original = (await stack.client.start({ steps: STEPS, variables: { shop: stack.shop, who: 'Ada' } })).sessionId;
  const status = await endOf(stack, original);
  if (status !== 'COMPLETED') throw new Error(`The session that the tests go on from is ${status}.`);
}, 200_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

/** How often the shop's button was pressed by a browser with the label, which its cookie has. */
async function presses(): Promise<number> {
  const answer = await fetch(`${stack.shop}/admin/counter?run=forked`);
  return ((await answer.json()) as { count: number }).count;
}

test("a fork begins with its step on the other session's page, and repeats nothing before it", async () => {
  expect(await presses()).toBe(2);
  const forked = await api.forkSession(original, { fromStep: 3, variables: { who: 'Grace' } }, 'fork-1');
  expect(forked).toMatchObject({ totalSteps: 4 });
  const again = await api.forkSession(original, { fromStep: 3, variables: { who: 'Grace' } }, 'fork-1');
  expect(again.sessionId).toBe(forked.sessionId);
  const status = await endOf(stack, forked.sessionId);
  const { error, request, variables } = await stack.client.get(forked.sessionId);
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
  // The cookie with the label came along: its only press is counted with the others.
  expect(await presses()).toBe(3);
  expect(request.steps).toEqual(STEPS.slice(2));
  expect(variables.map(({ name, value }) => [name, value])).toEqual([
    ['shop', stack.shop],
    ['who', 'Grace'],
  ]);
  const before = await stack.client.get(original);
  expect(before.variables.find(({ name }) => name === 'who')?.value).toBe('Ada');
}, 120_000);

test('a fork from a step that only types opens the page that the steps before have led to', async () => {
  const { sessionId } = await api.forkSession(original, { fromStep: 6 });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const page = (await stack.client.events(sessionId, 0, 1000)).map((record) => JSON.stringify(record));
  expect(page.some((record) => record.includes('/parts/form'))).toBe(true);
  expect(await presses()).toBe(3);
}, 120_000);

test('a fork may have other words from its step on', async () => {
  const steps = ['Open ${shop}/parts/form', 'Type "${who} the second" into Name', 'Expect "Name"'];
  const forked = await api.forkSession(original, { fromStep: 5, steps });
  expect(forked).toMatchObject({ totalSteps: 3 });
  expect(await endOf(stack, forked.sessionId)).toBe('COMPLETED');
  const { request, stepResults } = await stack.client.get(forked.sessionId);
  expect(request.steps).toEqual(steps);
  expect(JSON.stringify(stepResults)).toContain('${who} the second');
  await expect(api.forkSession(original, { fromStep: 5, steps: [' '] })).rejects.toThrow('a step must say what to do');
}, 120_000);

test('a step that is not there is refused, and so is one without a checkpoint, with what to do', async () => {
  await expect(api.forkSession(original, { fromStep: 7 })).rejects.toThrow('the session has 6 steps, got 7');
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/form`, 'Click "Nowhere"', 'Expect "x"'],
  });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  await expect(api.forkSession(sessionId, { fromStep: 3 })).rejects.toMatchObject({
    message: expect.stringContaining(`No checkpoint is kept of session ${sessionId} before step 3`),
  });
}, 120_000);

test('secrets are not copied: a fork whose steps use one asks for it', async () => {
  const { sessionId } = await stack.client.start({
    steps: ['Open ${shop}/login', 'Type "${pin}" into Password'],
    variables: { shop: stack.shop },
    secrets: { pin: { value: 'lovelace', origins: [stack.shop] } },
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  await expect(api.forkSession(sessionId, { fromStep: 2 })).rejects.toThrow(
    'a step uses it, and a fork never copies secrets; give it again',
  );
  const secrets = { pin: { value: 'lovelace', origins: [stack.shop] } };
  const forked = await api.forkSession(sessionId, { fromStep: 2, secrets });
  expect(await endOf(stack, forked.sessionId)).toBe('COMPLETED');
}, 120_000);
