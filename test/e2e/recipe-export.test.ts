/** Recipes that leave Surefoot: as a test for Playwright's own runner, as steps, and as a file that comes back. */
import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { createApiClient } from '../../client/http/api-client';
import { createRecipes } from '../../service/recipes/recipes';
import { eventually } from '../support/eventually';
import { newPlaywrightFolder, type PlaywrightFolder } from '../support/playwright-runner';
import {
  demoRequest,
  endOf,
  ONE_OF_EACH,
  SHOP_PASSWORD,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;
let folder: PlaywrightFolder;
let ids: string[];
beforeAll(async () => {
  folder = newPlaywrightFolder();
  stack = await startWholeStack({}, ONE_OF_EACH);
  const { config, ...request } = demoRequest(stack, 'exported');
  const { sessionId } = await stack.client.start({ ...request, config: { ...config, replay: 'prefer' } });
  const status = await endOf(stack, sessionId);
  if (status !== 'COMPLETED') throw new Error(`The session that the tests go on from is ${status}.`);
  const recipes = createRecipes({ store: stack.engineStore });
  ids = await eventually('the recipes of the session', async () => {
    const found = await recipes.list();
    const sorted = found.sort((one, other) => one.source.stepIndex - other.source.stepIndex);
    return sorted.length === request.steps.length ? sorted.map(({ recipeId }) => recipeId) : undefined;
  });
}, 200_000);
afterAll(async () => {
  await stack.stop();
  folder.remove();
}, 60_000);

/** The same shop, whose button for orders has another name. */
async function renamedShop(): Promise<{ url: string; close: () => void }> {
  const app = new Hono().all('*', async ({ req }) => {
    const { pathname, search } = new URL(req.url);
    const headers = new Headers(req.raw.headers);
    for (const name of ['host', 'connection', 'accept-encoding']) headers.delete(name);
    const body = req.method === 'GET' ? {} : { body: await req.arrayBuffer() };
    const answer = await fetch(`${stack.shop}${pathname}${search}`, {
      method: req.method,
      headers,
      redirect: 'manual',
      ...body,
    });
    const page = answer.headers.get('content-type')?.includes('text/html') === true;
    const shown = new Headers(answer.headers);
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) shown.delete(name);
    const content = page ? (await answer.text()).replaceAll('Place order', 'Buy') : await answer.arrayBuffer();
    return new Response([204, 303, 304].includes(answer.status) ? null : content, {
      status: answer.status,
      headers: shown,
    });
  });
  return await new Promise((resolve) => {
    const server: ServerType = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() }),
    );
  });
}

test('an exported test passes under Playwright, and fails where the shop is broken or a name changed', async () => {
  const api = createApiClient(stack.api);
  const text = await api.exportRecipes(ids, 'playwright');
  expect(text).not.toContain(SHOP_PASSWORD);
  expect(text).toContain("await page.getByRole('button', { name: 'Place order', exact: true }).click();");
  expect(text).toContain('await page.goto(`${variables.shop}/login?run=exported`);');
  const playwright = (shop: string) => folder.run(text, { TEST_SHOP: shop, TEST_PASSWORD: SHOP_PASSWORD });

  const before = (await stack.orders('exported')).length;
  expect(await playwright(stack.shop)).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 passed'),
  });
  expect((await stack.orders('exported')).length).toBe(before + 1);

  await fetch(`${stack.shop}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'error', path: '/orders', method: 'POST', run: 'exported' }),
  });
  const broken = await playwright(stack.shop);
  expect(broken).toMatchObject({ code: 1, output: expect.stringContaining('toHaveURL') });

  const renamed = await renamedShop();
  try {
    const wrong = await playwright(renamed.url);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("name: 'Place order'") });
  } finally {
    renamed.close();
  }
  expect((await stack.orders('exported')).length).toBe(before + 1);
}, 300_000);

test('exported steps are a file that a session is started with', async () => {
  const api = createApiClient(stack.api);
  const text = await api.exportRecipes(ids, 'steps');
  expect(text.split('\n').slice(0, 2)).toEqual([
    '# Variables and secrets: password, shop',
    'Open ${shop}/login?run=exported',
  ]);
  expect(text.trimEnd().split('\n')).toHaveLength(ids.length + 1);
});

test('recipes that do not follow each other are refused with both pages, and so is one that is not there', async () => {
  const api = createApiClient(stack.api);
  await expect(api.exportRecipes([ids[0]!, ids[7]!], 'playwright')).rejects.toThrow(
    /begins on .*\/checkout, but the one before it leads to .*\/login; name recipes in their order/,
  );
  await expect(api.exportRecipes(['rcp_0000000000000000'], 'steps')).rejects.toThrow(
    'There is no recipe rcp_0000000000000000',
  );
});

test('what was exported as JSON and forgotten comes back the same, as proposals, and once', async () => {
  const api = createApiClient(stack.api);
  const before = await Promise.all(ids.map((id) => api.showRecipe(id)));
  const text = await api.exportRecipes(ids, 'json');
  for (const { isNew, recipe } of await api.importRecipes({ text }))
    expect([isNew, recipe.status]).toEqual([false, 'promoted']);
  for (const id of ids) await api.forgetRecipe(id);
  const imported = await api.importRecipes({ text });
  expect(imported.map(({ isNew, recipe }) => [isNew, recipe.status, recipe.version])).toEqual(
    ids.map(() => [true, 'proposed', 1]),
  );
  for (const [position, { recipe }] of imported.entries()) {
    const { recipeId, key, rounds, source } = before[position]!;
    expect(recipe).toMatchObject({ recipeId, key, rounds, source });
  }
  expect((await api.importRecipes({ text })).map(({ isNew }) => isNew)).toEqual(ids.map(() => false));
  expect(await api.exportRecipes(ids, 'json')).toBe(text);
  await expect(api.importRecipes({ text: 'const a = 1;' })).rejects.toThrow('Line 1: const a = 1; is not taken');
});
