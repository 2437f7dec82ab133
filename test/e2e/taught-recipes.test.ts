/**
 * What a person does while a model is stuck becomes part of the recipe: on the whole product, with a model that only waits
 * for what the page is to say, and a person who does the rest.
 */
import { randomUUID } from 'node:crypto';
import type { PersonAct } from '../../contracts/browsers/takeover';
import type { Recipe } from '../../contracts/recipes/recipe';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { createRecipes } from '../../service/recipes/recipes';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer, type Play } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, SHOP_PASSWORD, startWholeStack, type WholeStack } from '../support/whole-stack';

const form = (
  path: string,
  field: string,
): string => `<body style="margin:0"><h1 style="position:absolute;top:200px">Shop</h1>
  <form method="post" action="${path}/done">${field}
  <button style="position:absolute;left:20px;top:140px;width:120px;height:40px">Order it</button></form></body>`;
const NAME = '<label style="position:absolute;left:20px;top:20px">Name <input name="who"></label>';
const SIZE = `<label>Size <select name="size" style="position:absolute;left:100px;top:20px;width:120px;height:30px">
  <option>Small</option><option>Large</option></select></label>`;
const PASSWORD =
  '<label style="position:absolute;left:20px;top:20px">Password <input name="p" type="password"></label>';
const DONE = '<h1>Thank you</h1><p role="status">It is ordered.</p>';
const pages: Record<string, string> = {
  '/order': form('/order', NAME),
  '/order/done': DONE,
  '/size': form('/size', SIZE),
  '/size/done': DONE,
  '/account': form('/account', PASSWORD),
  '/account/done': DONE,
};
const INTO_FIELD: PersonAct = { kind: 'click', x: 140, y: 30, button: 'left', clicks: 1 };
const ON_BUTTON: PersonAct = { kind: 'click', x: 60, y: 160, button: 'left', clicks: 1 };
const text = (typed: string): PersonAct => ({ kind: 'text', text: typed });

let stack: WholeStack;
let model: ModelServer;
let site: TestSite;
beforeAll(async () => {
  [model, site] = await Promise.all([startModelServer(), startSite(pages)]);
  stack = await startWholeStack(vertexAt(model), ONE_OF_EACH);
  model.play(waitsForThanks);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  site.close();
}, 60_000);

/** Opens what its step names; otherwise it knows nothing to do but wait. */
const waitsForThanks: Play = (response, heard) => {
  const said = JSON.stringify(heard.body);
  const step = /# Step \d+\\n(.*?)\\n/.exec(said)![1]!;
  const answer = (action: string, commands: object[]) => ({
    reasoning: { analysis: '', rationale: 'By the page.', expectedOutcome: 'It is done.', confidence: 0.9 },
    decision: { action, message: 'By the page.' },
    commands,
  });
  const wait = { action: 'WAIT_FOR', parameters: { text: 'Thank you', seconds: 2 } };
  const open = { action: 'OPEN_PAGE', parameters: { url: step.slice(5) } };
  const next = step.startsWith('Open ')
    ? answer('PROCEED', said.includes('# Past attempts') ? [] : [open])
    : said.includes('heading \\"Thank you')
      ? answer('PROCEED', [])
      : answer('RETRY', [wait]);
  return geminiAnswers({ text: JSON.stringify(next) })(response, heard);
};

const orders = (path: string): string[] => site.asked.filter((asked) => asked.startsWith(`POST ${path}/done`));

async function start(steps: string[], secrets?: StartRequest['secrets']): Promise<string> {
  const config = { replay: 'prefer' as const, maxIterations: 100, executorConfig: { screenshotsEnabled: false } };
  return (await stack.client.start({ steps, config, ...(secrets === undefined ? {} : { secrets }) })).sessionId;
}

/** Takes the browser over where the model is stuck, does these acts, and hands back. */
async function help(
  sessionId: string,
  path: string,
  acts: PersonAct[],
  more: (sessionId: string) => Promise<PersonAct[]> = async () => [],
): Promise<void> {
  const { client } = stack;
  const before = orders(path).length;
  await eventually('the model waits', async () => {
    const records = await client.events(sessionId, 0, 1000);
    return records.some(({ data }) => data.command?.action === 'WAIT_FOR');
  });
  const takeoverId = randomUUID();
  await client.takeOver(sessionId, { takeoverId });
  await eventually('it is taken over', async () => (await client.takeover(sessionId)).state === 'open');
  const numbered = acts.map((act, index) => ({ number: index + 1, act }));
  await client.takeoverInput(sessionId, { takeoverId, acts: numbered });
  const further = (await more(sessionId)).map((act, index) => ({ number: acts.length + index + 1, act }));
  if (further.length > 0) await client.takeoverInput(sessionId, { takeoverId, acts: further });
  await eventually('it is sent', async () => orders(path).length > before);
  await client.handBack(sessionId, { takeoverId });
  const status = await endOf(stack, sessionId);
  expect({ status, error: (await client.get(sessionId)).error }).toEqual({ status: 'COMPLETED', error: null });
  // Its workflow ends once it has left what it leaves.
  await stack.engineTemporal.workflow.getHandle(sessionId).result();
}

async function left(sessionId: string): Promise<Recipe[]> {
  const all = await createRecipes({ store: stack.engineStore }).list();
  return all.filter(({ source }) => source.sessionId === sessionId);
}

test('what a person does where the model is stuck is repeated by the next session without a model', async () => {
  const steps = [`Open ${site.url}/order`, 'Order it for "Grace"'];
  const first = await start(steps);
  await help(first, '/order', [INTO_FIELD, text('Grx'), { kind: 'key', key: 'Backspace' }, text('ace'), ON_BUTTON]);
  const recipe = (await left(first)).find(({ key }) => key.instruction === steps[1]);
  expect(recipe).toMatchObject({
    status: 'promoted',
    rounds: [
      {
        page: `${site.url}/order`,
        commands: [
          { action: 'INPUT_TEXT', parameters: { text: 'Grace' }, target: { role: 'textbox', name: 'Name' } },
          { action: 'CLICK_ELEMENT', target: { role: 'button', name: 'Order it' } },
        ],
        after: { page: `${site.url}/order/done`, requests: [`POST ${site.url}/order/done`] },
      },
    ],
  });

  model.play(waitsForThanks);
  const second = await start(steps);
  expect(await endOf(stack, second)).toBe('COMPLETED');
  expect(model.heard).toEqual([]);
  expect(orders('/order')).toEqual(Array(2).fill('POST /order/done who=Grace'));
}, 240_000);

test('the option that a person chooses in a list is chosen by the next session', async () => {
  const steps = [`Open ${site.url}/size`, 'Order it in "Large"'];
  const chooses = async (sessionId: string): Promise<PersonAct[]> => {
    const asks = await eventually('the list is drawn', async () => (await stack.client.takeover(sessionId)).asks);
    return [{ kind: 'choose', ask: asks.ask, option: 1 }, ON_BUTTON];
  };
  const first = await start(steps);
  await help(first, '/size', [INTO_FIELD], chooses);
  expect(orders('/size')).toEqual(['POST /size/done size=Large']);
  model.play(waitsForThanks);
  expect(await endOf(stack, await start(steps))).toBe('COMPLETED');
  expect(model.heard).toEqual([]);
  expect(orders('/size')).toEqual(Array(2).fill('POST /size/done size=Large'));
}, 240_000);

test('a password typed by a person is in no recipe, and asked for by name where the session has it', async () => {
  const steps = [`Open ${site.url}/account`, 'Order it'];
  const unknown = await start(steps);
  await help(unknown, '/account', [INTO_FIELD, text('hunter2-'), text('hunter2'), ON_BUTTON]);
  expect((await left(unknown)).map(({ key }) => key.instruction)).not.toContain(steps[1]);

  const password = { env: 'SHOP_PASSWORD', origins: [site.url] };
  const known = await start(steps, { password });
  await help(known, '/account', [INTO_FIELD, text(SHOP_PASSWORD.slice(0, 3)), text(SHOP_PASSWORD.slice(3)), ON_BUTTON]);
  const recipe = (await left(known)).find(({ key }) => key.instruction === steps[1]);
  expect(recipe?.rounds[0]?.commands[0]).toMatchObject({ action: 'INPUT_TEXT', parameters: { text: '${password}' } });
  const rows = await everyRow(stack.databaseUrl);
  for (const value of ['hunter2', SHOP_PASSWORD]) expect(rows.filter((row) => row.includes(value))).toEqual([]);

  model.play(waitsForThanks);
  expect(await endOf(stack, await start(steps, { password }))).toBe('COMPLETED');
  expect(model.heard).toEqual([]);
  expect(orders('/account').slice(1)).toEqual(Array(2).fill(`POST /account/done p=${SHOP_PASSWORD}`));
}, 240_000);
