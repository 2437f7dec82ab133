/**
 * A task that a model has led once is repeated without it, as far as the page says word for word what it said then: on the
 * whole product, with a model that reads the pages and decides by what they say.
 */
import { createApiClient } from '../../client/http/api-client';
import type { Recipe } from '../../contracts/recipes/recipe';
import { calls, says } from '../support/agent-stack';
import { eventually } from '../support/eventually';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer, type Play } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const TASK = 'Order the cheapest tea for the address in Email';
const pages: Record<string, string> = {};
let stack: WholeStack;
let model: ModelServer;
let site: TestSite;
beforeAll(async () => {
  [model, site] = await Promise.all([startModelServer(), startSite(pages)]);
  stack = await startWholeStack(vertexAt(model), ONE_OF_EACH);
  model.play(ordersTheCheapest);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  site.close();
}, 60_000);

type Price = [tea: string, euros: number];

/** A shop with these prices, at a path of its own. */
function openShop(path: string, prices: Price[]): void {
  const rows = prices.map(
    ([tea, euros]) => `<li>${tea}, ${euros} euros <button formaction="${path}/${tea}">Order ${tea}</button></li>`,
  );
  pages[path] = `<main><h1>Teas</h1><a href="${path}/list">All teas</a></main>`;
  pages[`${path}/list`] = `<main><h1>List of teas</h1><form method="post">
    <label>Email <input name="email"></label><ul>${rows.join('')}</ul></form></main>`;
  for (const [tea] of prices)
    pages[`${path}/${tea}`] = `<main><h1>Thank you</h1><p>You have ordered ${tea}.</p></main>`;
}

/** Opens the shop, goes to its list, and orders there what is cheapest by the prices that it reads. */
const ordersTheCheapest: Play = (response, heard) => {
  const { contents } = heard.body as { contents: { parts: { text?: string; functionResponse?: object }[] }[] };
  const said = contents.map(({ parts }) => parts.map((part) => part.text ?? JSON.stringify(part)).join('\n'));
  const page = said.findLast((text) => /Teas|List of teas|Thank you/.test(text)) ?? '';
  const ref = (name: string): string => new RegExp(`${name}\\\\*"[^\\n]*?\\[ref=(\\w+)\\]`).exec(page)?.[1] ?? 'none';
  if (page.includes('Thank you')) return geminiAnswers(says(/You have ordered \w+/.exec(page)![0]))(response, heard);
  if (page.includes('List of teas')) {
    const prices = [...page.matchAll(/(\w+), (\d+) euros/g)].map(([, tea, euros]): Price => [tea!, Number(euros)]);
    const [cheapest] = prices.sort((one, other) => one[1] - other[1]);
    const fill = ['form_input', { ref: ref('textbox \\\\*"Email'), value: '${email}' }] as const;
    const order = ['computer', { action: 'left_click', ref: ref(`button \\\\*"Order ${cheapest![0]}`) }] as const;
    return geminiAnswers(calls([...fill], [...order]))(response, heard);
  }
  if (page.includes('All teas'))
    return geminiAnswers(calls(['computer', { action: 'left_click', ref: ref('link \\\\*"All teas') }]))(
      response,
      heard,
    );
  return geminiAnswers(calls(['navigate', { url: /Navigate to (\S+) first/.exec(JSON.stringify(contents))![1]! }]))(
    response,
    heard,
  );
};

interface Ordered {
  sessionId: string;
  answer: string | null;
  /** Calls of the model. */
  asked: number;
  orders: string[];
  warnings: string[];
}

/** Gives the task to a session, with the shop at this path. */
async function order(path: string, email: string, config: object = {}): Promise<Ordered> {
  const before = { asked: model.heard.length, sent: site.asked.length };
  const { sessionId } = await stack.client.start({
    steps: [{ task: TASK, url: `${site.url}${path}` }],
    variables: { email },
    config: {
      agent: { approvalMode: 'yolo' },
      executorConfig: { screenshotsEnabled: false },
      replay: 'prefer',
      ...config,
    },
  });
  const status = await endOf(stack, sessionId);
  const { error, answer } = await stack.client.get(sessionId);
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
  const log = await stack.engineStore.log.read(sessionId, 0, 1000);
  return {
    sessionId,
    answer,
    asked: model.heard.length - before.asked,
    orders: site.asked.slice(before.sent).filter((line) => line.startsWith('POST')),
    warnings: log.flatMap(({ data }) => (data['warning'] as { message: string } | undefined)?.message ?? []),
  };
}

async function recipeOf(sessionId: string): Promise<Recipe> {
  return await eventually(`the recipe of ${sessionId}`, async () =>
    (await stack.engineStore.recipes.list()).find(({ source }) => source.sessionId === sessionId),
  );
}

const sent = (path: string, tea: string, email: string): string =>
  `POST ${path}/${tea} email=${encodeURIComponent(email)}`;

test('a task is repeated without its model, with other variables; the model gives the answer', async () => {
  openShop('/repeated', [
    ['Assam', 4],
    ['Ceylon', 7],
  ]);
  const first = await order('/repeated', 'ada@example.com');
  expect(first).toMatchObject({ asked: 3, orders: [sent('/repeated', 'Assam', 'ada@example.com')], warnings: [] });
  const recipe = await recipeOf(first.sessionId);
  expect(recipe).toMatchObject({ status: 'promoted', key: { task: true, page: 'about:blank' } });
  expect(recipe.rounds.map(({ commands }) => commands.map(({ tool }) => tool?.name))).toEqual([
    ['navigate'],
    ['computer'],
    ['form_input', 'computer'],
  ]);
  expect(JSON.stringify(recipe.rounds)).not.toContain('ada@example.com');

  const second = await order('/repeated', 'grace@example.org');
  expect(second).toMatchObject({
    asked: 1,
    answer: 'You have ordered Assam',
    orders: [sent('/repeated', 'Assam', 'grace@example.org')],
    warnings: [],
  });
  await eventually('its use is counted', async () => {
    const { counts } = (await stack.engineStore.recipes.get(recipe.recipeId))!;
    return counts.used === 1 && counts.failed === 0 ? true : undefined;
  });
});

test('where the page says something else the model decides from there, and places the only order', async () => {
  openShop('/dearer', [
    ['Assam', 4],
    ['Ceylon', 7],
  ]);
  const { recipeId } = await recipeOf((await order('/dearer', 'ada@example.com')).sessionId);
  openShop('/dearer', [
    ['Assam', 9],
    ['Ceylon', 7],
  ]);
  const second = await order('/dearer', 'ada@example.com');
  expect(second).toMatchObject({
    asked: 2,
    answer: 'You have ordered Ceylon',
    orders: [sent('/dearer', 'Ceylon', 'ada@example.com')],
    warnings: [expect.stringMatching(/^Recipe rcp_\w+ does not do the task: .* word for word\. vertexai/)],
  });
  // It has done its greater part.
  expect((await stack.engineStore.recipes.get(recipeId))!.counts).toMatchObject({ used: 1, failed: 0 });
});

test("a page without the recipe's beginning retires it, and the next version is of the page as it is", async () => {
  openShop('/changed', [['Assam', 4]]);
  const recipe = await recipeOf((await order('/changed', 'ada@example.com')).sessionId);
  openShop('/changed', [['Assam', 4]]);
  pages['/changed'] = pages['/changed']!.replace('<h1>Teas</h1>', '<h1>Teas</h1><p>Now in four sizes.</p>');
  for (const _ of [1, 2]) await order('/changed', 'ada@example.com');
  const versions = await eventually('a second version', async () => {
    const found = await stack.engineStore.recipes.versions(recipe.recipeId);
    return found.length > 1 && found.at(-1)!.status === 'promoted' ? found : undefined;
  });
  expect(versions.map(({ status }) => status)).toEqual(['retired', 'promoted']);
  expect(await order('/changed', 'ada@example.com')).toMatchObject({ asked: 1, warnings: [] });
});

test('replay: off leaves and uses no recipe of a task, and none is exported as a test of Playwright', async () => {
  openShop('/off', [['Assam', 4]]);
  await order('/off', 'ada@example.com', { replay: 'off' });
  const first = await order('/off', 'ada@example.com');
  expect(first.asked).toBe(3);
  const { recipeId } = await recipeOf(first.sessionId);
  expect((await order('/off', 'ada@example.com', { replay: 'off' })).asked).toBe(3);
  const client = createApiClient(stack.api);
  const exporting = client.exportRecipes([recipeId], 'playwright');
  await expect(exporting).rejects.toThrow(/is that of a task, which a model leads to its answer/);
  expect(await client.exportRecipes([recipeId], 'json')).toContain('"task": true');
});
