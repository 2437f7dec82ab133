/** Bodies and messages that are nested so deep that whatever walks them would end the stack. */
import { readRecipes } from '../../service/recipes/import/read-file';
import { NotTaken } from '../../service/recipes/import/refusal';
import { createKeeperApp } from '../../worker/keeper/server';
import { MAX_JSON_DEPTH } from '../../contracts/json-depth';
import { parseClientFrame } from '../../contracts/relay/protocol';
import { bodyOf, post } from './fixture';
import { startWholeApi, type WholeApi } from './whole-api';

let api: WholeApi;
beforeAll(async () => (api = await startWholeApi()));
afterAll(() => api.stop());

const LEVELS = 100_000;
const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const DEEP: [string, string][] = [
  ['arrays', arrays(LEVELS)],
  ['objects', objects(LEVELS)],
  ['both in turn', '[{"a":'.repeat(LEVELS) + '1' + '}]'.repeat(LEVELS)],
  ['a member of a good request', `{"steps":["look"],"text":"x","variables":{"a":${arrays(LEVELS)}}}`],
  ['behind texts with brackets', `{"steps":["]]]]\\"]]\\\\"],"a":${objects(LEVELS)}}`],
  ['no end', '['.repeat(LEVELS)],
  ['one level more than is taken', arrays(MAX_JSON_DEPTH + 1)],
];

test('every route that takes JSON answers a body that is nested too deep with 400 and a sentence', async () => {
  const app = api.create(undefined);
  const { paths } = (await (await app.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody !== undefined && 'application/json' in requestBody.content ? [[method, path] as const] : [],
    ),
  );
  expect(routes.length).toBeGreaterThan(10);
  for (const [method, path] of [...routes, ['post', '/codec/decode'], ['post', '/codec/encode']] as const) {
    for (const [what, body] of DEEP) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `deep-${what}` };
      const answer = await app.request(path.replaceAll(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
        headers,
        body,
      });
      expect([method, path, what, answer.status]).toEqual([method, path, what, 400]);
      expect((await bodyOf(answer)).error).toMatchObject({
        code: 'FA001',
        message: 'The body is nested more than 100 levels deep. Send arrays and objects that are nested less.',
      });
    }
  }
});

test('brackets in texts are no levels, and a body of a hundred levels is refused by its schema alone', async () => {
  const app = api.create(undefined);
  const inTexts = await app.request('/v1/sessions', post({ steps: ['['.repeat(500), '{"\\"['.repeat(100)] }));
  expect(inTexts.status).toBe(202);
  const atLimit = await app.request('/v1/sessions', post(objects(MAX_JSON_DEPTH)));
  expect((await bodyOf(atLimit)).error.details.issues.length).toBeGreaterThan(0);
});

test('a file of recipes that is nested too deep is refused, as JSON and as a recording', async () => {
  const importOf = (text: string) => readRecipes(text, { values: new Map(), from: 'deep' });
  for (const depth of [MAX_JSON_DEPTH + 1, 200_000])
    await expect(importOf(`{"format":"surefoot-recipes","version":1,"recipes":${arrays(depth)}}`)).rejects.toThrow(
      "deep can't be imported: it is nested more than 100 levels deep.",
    );
  const nested = [
    ['(', ')'],
    ['[', ']'],
    ['!', ''],
    ['() => ', ''],
    ['a ? b : ', ''],
  ] as const;
  for (const [open, close] of nested) {
    const code = `test('x', async ({ page }) => { await page.goto(${open.repeat(60_000)}1${close.repeat(60_000)}); });`;
    await expect(importOf(code)).rejects.toThrow(NotTaken);
  }
});

test('messages of relay and keeper that are nested too deep are refused with a sentence', async () => {
  for (const [, text] of DEEP)
    expect(parseClientFrame(text)).toMatchObject({
      kind: 'unusable',
      error: { code: 'bad-message', message: 'The message is nested more than 100 levels deep.' },
    });
  const keeper = createKeeperApp({ browsers: {} as never, token: 'of-the-host' });
  for (const [, body] of DEEP) {
    const headers = { authorization: 'Bearer of-the-host', 'content-type': 'application/json' };
    const answer = await keeper.request('/browsers', { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'The body is nested more than 100 levels deep.' },
    ]);
  }
});
