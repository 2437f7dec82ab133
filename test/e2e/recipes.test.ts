/** Run once with a model, then without one: what sessions that ended well leave, on the whole product and its shop. */
import postgres from 'postgres';
import type { Recipe } from '../../contracts/recipes/recipe';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { createRecipes } from '../../service/recipes/recipes';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import {
  demoRequest,
  endOf,
  ONE_OF_EACH,
  SHOP_PASSWORD,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

/** The rules lead, and leave recipes where they are asked to. */
function withReplay({ config, ...request }: StartRequest, replay: 'off' | 'prefer' | 'only'): StartRequest {
  return { ...request, config: { ...config, replay } };
}

async function completed(request: StartRequest): Promise<string> {
  const { sessionId } = await stack.client.start(request);
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
  return sessionId;
}

async function recipesOf(sessionId: string, count: number): Promise<Recipe[]> {
  const recipes = createRecipes({ store: stack.engineStore });
  return await eventually(`${count} recipes of ${sessionId}`, async () => {
    const found = (await recipes.list()).filter(({ source }) => source.sessionId === sessionId);
    return found.length >= count
      ? found.sort((one, other) => one.source.stepIndex - other.source.stepIndex)
      : undefined;
  });
}

test('a session that ended well leaves a recipe of each step, with no value of a variable', async () => {
  const request = demoRequest(stack, 'learnt');
  const sessionId = await completed(withReplay(request, 'prefer'));
  const recipes = await recipesOf(sessionId, request.steps.length);
  expect(recipes.map(({ key }) => key.instruction)).toEqual(request.steps);
  expect(new Set(recipes.map(({ status, version }) => `${status} ${version}`))).toEqual(new Set(['promoted 1']));

  const order = recipes[7]!;
  expect(order.key).toEqual({
    tenant: 'default',
    instruction: request.steps[7],
    page: `${stack.shop}/checkout`,
    variables: ['password', 'shop'],
  });
  const [round] = order.rounds;
  expect(round!.commands.map(({ action, target }) => [action, target?.role, target?.name, target?.of])).toEqual([
    ['SET_CHECKED', 'radio', 'Express', 1],
    ['SET_CHECKED', 'checkbox', 'I accept the terms', 1],
    ['CLICK_ELEMENT', 'button', 'Place order', 1],
  ]);
  expect(round!.after).toEqual({
    page: `${stack.shop}/orders/SF-#`,
    texts: ['Thank you'],
    requests: [`POST ${stack.shop}/orders`],
  });
  // What is saved is found by its label, and is no part of the recipe.
  expect(recipes[9]!.rounds[0]!.commands[0]).toMatchObject({
    action: 'SAVE_VARIABLE',
    target: { role: 'strong', name: '', of: 2 },
  });
  const { variables } = await stack.client.get(sessionId);
  const number = variables.find(({ name }) => name === 'order_number')!.value;
  const rows = (await everyRow(stack.databaseUrl)).filter((row) => row.startsWith('recipe'));
  expect(rows).toHaveLength(20);
  for (const value of [SHOP_PASSWORD, number]) expect(rows.filter((row) => row.includes(value))).toEqual([]);
}, 120_000);

test('a session that is to leave nothing leaves nothing, and so does one that failed', async () => {
  const left = async () => (await createRecipes({ store: stack.engineStore }).list()).length;
  const before = await left();
  const form = [`Open ${stack.shop}/parts/form`, 'Type "Grace" into Name'];
  await completed(withReplay({ steps: form }, 'off'));
  const { sessionId } = await stack.client.start(withReplay({ steps: [...form, 'Click "Nowhere"'] }, 'prefer'));
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  // Those of a session that follows are there: theirs would be too.
  await recipesOf(
    await completed(withReplay({ steps: ['Open ${shop}/parts/keys'], variables: { shop: stack.shop } }, 'prefer')),
    1,
  );
  expect(await left()).toBe(before + 1);
}, 120_000);

/** How each reply of a session came about. */
async function leadersOf(sessionId: string, steps: number): Promise<string[]> {
  const replies = await Promise.all(
    Array.from({ length: steps }, (_, step) => stack.engineStore.memory.repliesOf(sessionId, step)),
  );
  return [...new Set(replies.flat().map(({ model }) => model))];
}

test('the second session with the same steps is done by recipes alone and places its own order', async () => {
  const first = demoRequest(stack, 'once');
  await recipesOf(await completed(withReplay(first, 'prefer')), 0);
  const again = { ...demoRequest(stack, 'once'), steps: first.steps };
  for (const replay of ['prefer', 'only'] as const) {
    const sessionId = await completed(withReplay(again, replay));
    expect(await leadersOf(sessionId, first.steps.length)).toEqual(['recipe']);
  }
  const orders = await stack.orders('once');
  expect(orders).toHaveLength(3);
  expect(new Set(orders.map(({ number }) => number)).size).toBe(3);
}, 120_000);

test('without recipes a session that calls no model fails at its first step and says what to do', async () => {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`, 'Click "Add one"'],
    config: { replay: 'only' },
  });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error).toMatchObject({ code: 'TL004', retryable: false, details: { kind: 'replay-diverged' } });
  expect(error!.message).toContain('there is no recipe of it on about:blank');
  expect(error!.message).toContain('No model was called');
}, 60_000);

test('`run --replay-only` does a flow by its recipes, and exits with 4 where one does not fit', async () => {
  const { home, databaseUrl, temporalAddress } = stack;
  const env = { SUREFOOT_HOME: home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, SHOP_PASSWORD };
  const steps = [`Open ${stack.shop}/parts/counter`, 'Click "Add one"'];
  const learnt = await completed({ steps, config: { replay: 'prefer' } });
  const [, click] = await recipesOf(learnt, 2);
  expect(await runCli(['run', '--replay-only', ...steps], { env })).toMatchObject({ exitCode: 0 });

  const sql = postgres(databaseUrl, { onnotice: () => {} });
  const { recipeId } = click!;
  await sql`update recipe_versions set rounds = replace(rounds, 'Add one', 'Other') where recipe_id = ${recipeId}`;
  await sql.end();
  const { exitCode, stdout } = await runCli(['run', '--replay-only', ...steps], { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: expect.stringContaining('No model was called') });
  const cli = async (...args: string[]) => await runCli(['recipes', ...args], { env });
  expect((await cli('list')).stdout).toMatch(new RegExp(`${recipeId} .* altered `));
  expect(await cli('show', recipeId)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('was changed by hand in the database, so it is not used; forget it'),
  });
  // The model does the step that the recipe is not trusted with.
  const again = await completed({ steps, config: { replay: 'prefer' } });
  expect(await leadersOf(again, steps.length)).toEqual(['recipe', 'rules']);
  expect(await cli('forget', recipeId)).toMatchObject({ exitCode: 0 });
  expect((await cli('list')).stdout).not.toContain(recipeId);
}, 120_000);
