/**
 * Recipes on a site that answers another visitor with another page, from sessions that ended well by luck, and recipes that
 * were changed to a wrong target: what is wrong is neither sent nor promoted.
 */
import { createApiClient } from '../../client/http/api-client';
import { createRecipes } from '../../service/recipes/recipes';
import type { Recipe } from '../../contracts/recipes/recipe';
import { eventually } from '../support/eventually';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer, type Play } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const pages: Record<string, string> = {};
let stack: WholeStack;
let model: ModelServer;
let site: TestSite;
beforeAll(async () => {
  [model, site] = await Promise.all([startModelServer(), startSite(pages)]);
  stack = await startWholeStack(vertexAt(model), ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  site.close();
}, 60_000);

type Replay = 'prefer' | 'only';
const SUBSCRIBE = '<form method="post" action="/newsletter"><button>Subscribe</button></form>';

/** A page on which something is paid for, as most visitors get it. */
function payPage({ name = 'Pay now', region = 'Order', action = '/orders', button = '' } = {}): string {
  return `<main><h1>Checkout</h1><section aria-label="${region}">
    <form method="post" action="${action}"><button ${button}>${name}</button></form></section>${SUBSCRIBE}</main>`;
}

/** Has the rules pay on a page of its own at this path, and resolves to the recipe of the click. */
async function learnPaying(path: string): Promise<Recipe> {
  pages[path] = payPage();
  for (const end of ['/orders', '/newsletter', '/subscriptions'])
    pages[end] = `<h1>Thank you</h1><p>It is done: ${end}</p>`;
  const sessionId = await completed(path, 'prefer');
  return (await learntOf(sessionId, 1))!;
}

async function ended(path: string, replay: Replay, aiModel = 'rules', click = 'Pay now'): Promise<[string, string]> {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${site.url}${path}`, `Click "${click}"`],
    config: { replay, aiConfig: { model: aiModel }, executorConfig: { screenshotsEnabled: false }, maxIterations: 4 },
  });
  return [sessionId, await endOf(stack, sessionId)];
}

async function completed(path: string, ...options: [Replay, string?, string?]): Promise<string> {
  const [sessionId, status] = await ended(path, ...options);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
  return sessionId;
}

/** The recipe of a step; undefined once that of the step before it is there, and it is not. Steps are learnt in their order. */
async function learntOf(sessionId: string, stepIndex: number): Promise<Recipe | undefined> {
  return (await recipesOf(sessionId, stepIndex + 1)).find(({ source }) => source.stepIndex === stepIndex);
}

async function recipesOf(sessionId: string, count: number): Promise<Recipe[]> {
  return await eventually(`${count} recipes of ${sessionId}`, async () => {
    const own = (await recipes().list()).filter(({ source }) => source.sessionId === sessionId);
    return own.length >= count ? own : undefined;
  });
}

const recipes = () => createRecipes({ store: stack.engineStore });
const versionsOf = async ({ recipeId }: Recipe): Promise<string[]> =>
  (await stack.engineStore.recipes.versions(recipeId)).map(({ version, status }) => `${version} ${status}`);

/** The forms that were sent while this ran. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = site.asked.length;
  await work();
  return site.asked.slice(before).flatMap((line) => (line.startsWith('POST') ? [line.split(' ')[1]!] : []));
}

async function whyOf(sessionId: string): Promise<string> {
  return (await stack.client.get(sessionId)).error?.message ?? '';
}

test.each<[string, string, string]>([
  ['another language', payPage({ name: '今すぐ支払う' }), 'there is no button “Pay now”'],
  ['a button of the same name in another region', payPage({ region: 'Newsletter' }), 'reads differently'],
  ['the same button for another form', payPage({ action: '/subscriptions' }), 'leads to POST'],
  ['a button with a form address of its own', payPage({ button: 'formaction="/subscriptions"' }), 'leads to POST'],
  ['a second button of the same name', payPage() + payPage({ action: '/subscriptions' }), 'there are 2 of the button'],
  [
    'a link of the same name',
    '<main><h1>Checkout</h1><a href="/subscriptions">Pay now</a></main>',
    'there is no button “Pay now”',
  ],
])(
  'a second visitor who gets %s sends nothing, and the recipe that fails twice in a row retires',
  async (what, page, why) => {
    const path = `/pay/${what.replaceAll(' ', '-')}`;
    const recipe = await learnPaying(path);
    pages[path] = page;
    const sent = await sentBy(async () => {
      for (const _ of ['first', 'second']) {
        const [sessionId, status] = await ended(path, 'only');
        expect([status, await whyOf(sessionId)]).toEqual(['FAILED', expect.stringContaining(why)]);
      }
    });
    expect(sent).toEqual([]);
    expect(await versionsOf(recipe)).toEqual(['1 retired']);
  },
  240_000,
);

test('a button that reads as before and does something else is pressed once, and retires the recipe', async () => {
  const recipe = await learnPaying('/pay/script');
  pages['/pay/script'] = `${payPage()}<script>document.forms[0].onsubmit = (event) => {
    event.preventDefault();
    void fetch('/subscriptions', { method: 'POST' }).then(() => document.querySelector('main').append('Thank you'));
  }</script>`;
  for (const _ of ['first', 'second']) {
    const sent = await sentBy(async () => expect((await ended('/pay/script', 'only'))[1]).toBe('FAILED'));
    expect(sent).toEqual(['/subscriptions']);
  }
  expect(await versionsOf(recipe)).toEqual(['1 retired']);
}, 240_000);

test("what a model did on one odd visitor's page is a proposal; of a second in a row it is promoted", async () => {
  const recipe = await learnPaying('/pay/odd');
  const odd = payPage({ region: 'Your order' });
  pages['/pay/odd'] = odd;
  await completed('/pay/odd', 'prefer');
  await eventually('the proposal', async () => ((await versionsOf(recipe)).length === 2 ? true : undefined));
  expect(await versionsOf(recipe)).toEqual(['1 promoted', '2 proposed']);
  pages['/pay/odd'] = payPage();
  await completed('/pay/odd', 'only');
  pages['/pay/odd'] = odd;
  for (const _ of ['first', 'second']) await completed('/pay/odd', 'prefer');
  await eventually('the promotion', async () => ((await versionsOf(recipe))[1] === '2 promoted' ? true : undefined));
  expect(await versionsOf(recipe)).toEqual(['1 retired', '2 promoted']);
  await completed('/pay/odd', 'only');
}, 240_000);

/** A model that opens what it is to open, and clicks this, whatever the step says. */
const clicks =
  (name: string): Play =>
  (response, heard) => {
    const { contents } = heard.body as { contents: { parts: { text?: string }[] }[] };
    const text = contents[0]!.parts[0]!.text!;
    const opening = /^# Step \d+\nOpen (\S+)$/m.exec(text)?.[1];
    const ref = new RegExp(`- \\w+ "${name}".*?\\[ref=(\\w+)\\]`).exec(text)?.[1];
    const command =
      opening === undefined
        ? { action: 'CLICK_ELEMENT', parameters: { selector: `ref=${ref}` } }
        : { action: 'OPEN_PAGE', parameters: { url: opening } };
    const hasTried = text.includes('# Past attempts in this step');
    const message = hasTried ? 'The step is done.' : 'I do it.';
    const answer = {
      reasoning: { analysis: message, rationale: message, expectedOutcome: message, confidence: 0.9 },
      decision: {
        action: 'PROCEED',
        message,
        ...(hasTried ? { resultValidation: { success: true, expectedElements: [], actualState: message } } : {}),
      },
      commands: hasTried ? [] : [command],
    };
    return geminiAnswers({ text: JSON.stringify(answer) })(response, heard);
  };
const VENDOR = 'vertexai/gemini-2.5-flash';

test.each<[string, string, string, string]>([
  ['clicked another button than the step names', payPage(), 'Pay now', 'Subscribe'],
  ['clicked a button that does nothing', '<main><button>Save</button><p>All is well</p></main>', 'Save', 'Save'],
  [
    'has only a text as effect that the page had before',
    `<main><button onclick="this.nextElementSibling.textContent = 'Saved ' + ++count + ' times'">Save</button><p>Saved 0 times</p></main>
      <script>var count = 0;</script>`,
    'Save',
    'Save',
  ],
])(
  'a step is not learnt that ended well where its model %s',
  async (what, page, click, clicked) => {
    const path = `/luck/${what.replaceAll(' ', '-')}`;
    pages[path] = page;
    pages['/newsletter'] = '<h1>Thank you</h1>';
    model.play(clicks(clicked));
    const sessionId = await completed(path, 'prefer', VENDOR, click);
    await recipesOf(sessionId, 1);
    // The workflow ends once the session has left what it leaves.
    await stack.engineTemporal.workflow.getHandle(sessionId).result();
    const learnt = (await recipes().list()).filter(({ source }) => source.sessionId === sessionId);
    expect(learnt.map(({ source }) => source.stepIndex)).toEqual([0]);
  },
  120_000,
);

test('a recipe file with a wrong target is a proposal, and sends nothing even where it is promoted', async () => {
  const recipe = await learnPaying('/pay/file');
  const file = JSON.parse(await recipes().export([recipe.recipeId], 'json')) as {
    recipes: { rounds: { commands: { target?: { attributes: object } }[] }[] }[];
  };
  for (const { target } of file.recipes.flatMap(({ rounds }) => rounds.flatMap(({ commands }) => commands)))
    if (target !== undefined) Object.assign(target, { attributes: {}, around: ['main'] });
  const changed = JSON.stringify(file)
    .replaceAll('Pay now', 'Subscribe')
    .replace('Click \\"Subscribe', 'Click \\"Pay now');
  const api = createApiClient(stack.api);
  const [imported] = await api.importRecipes({ text: changed, name: 'changed.json' });
  expect(imported).toMatchObject({
    isNew: true,
    recipe: { recipeId: recipe.recipeId, version: 2, status: 'proposed' },
  });
  expect(await sentBy(() => completed('/pay/file', 'only'))).toEqual(['/orders']);

  await api.promoteRecipe(recipe.recipeId, { version: 2, by: 'mallory' });
  const sent = await sentBy(async () => {
    const [sessionId, status] = await ended('/pay/file', 'only');
    expect([status, await whyOf(sessionId)]).toEqual(['FAILED', expect.stringContaining('the step names “Pay now”')]);
  });
  expect(sent).toEqual([]);
}, 240_000);
