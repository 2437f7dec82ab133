/**
 * What would stop a process for good, on the whole product: a pattern of a caller and a text of a page that a backtracking
 * engine compares for ever.
 */
import { startSite, type TestSite } from '../support/sites';
import { endOf, startWholeStack, ONE_BROWSER_WORKER, type WholeStack } from '../support/whole-stack';

const SLOW = `${'a'.repeat(50)}!`;

let stack: WholeStack;
let site: TestSite;
beforeAll(async () => {
  site = await startSite({ '/': `<title>Code</title><dl><dt>Code</dt><dd>${SLOW}</dd></dl>` });
  stack = await startWholeStack({}, ONE_BROWSER_WORKER);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  site.close();
}, 60_000);

const QUICK = { aiConfig: { model: 'rules' }, executorConfig: { screenshotsEnabled: false } };
const codeLike = (pattern: string) => ({
  schema: { type: 'object', properties: { code: { type: 'string', pattern } }, required: ['code'] },
});

test('a pattern that backtracks for ever on a page is answered at once, by the same workers as before', async () => {
  const before = ['engine-1', 'engine-2'].map((name) => stack.pidOf(name));
  const request = { steps: [`Open ${site.url}`, 'Extract the code'], config: QUICK };
  const [attack, neighbour] = await Promise.all([
    stack.client.start({ ...request, result: codeLike('^(a+)+$') }),
    stack.client.start({ ...request, result: codeLike('^(a+)+!$') }),
  ]);
  expect(await endOf(stack, neighbour.sessionId)).toBe('COMPLETED');
  expect(await stack.client.get(neighbour.sessionId)).toMatchObject({ result: { code: SLOW } });
  expect(await endOf(stack, attack.sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(attack.sessionId);
  expect(error).toMatchObject({ code: 'TL004', message: expect.stringContaining('code must match pattern "^(a+)+$"') });
  expect(['engine-1', 'engine-2'].map((name) => stack.pidOf(name))).toEqual(before);
});

test('a pattern that no linear engine takes is refused by the API with its path and what to write instead', async () => {
  const answer = await fetch(`${stack.api}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ steps: [`Open ${site.url}`, 'Extract the code'], result: codeLike('^(?!foo)') }),
  });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toMatch(
    /result\.schema\.properties\.code\.pattern.*is a look-ahead, which can't be matched in linear time; write what must not occur/,
  );
});
