/** Whose a recipe is, who let it be used, and what is left of it when a session is erased: over REST and in the terminal. */
import { userInfo } from 'node:os';
import { createApiClient, type ApiClient } from '../../client/http/api-client';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const pages: Record<string, string> = {};
let stack: WholeStack;
let site: TestSite;
let api: ApiClient;
beforeAll(async () => {
  site = await startSite(pages);
  stack = await startWholeStack({}, ONE_OF_EACH);
  api = createApiClient(stack.api);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  site.close();
}, 60_000);

interface Wanted {
  tenant?: string;
  replay?: 'prefer' | 'only';
}

/** A session with one step, on a page of its own at this path. Its workflow ends once it has left what it leaves. */
async function ended(path: string, { tenant, replay = 'prefer' }: Wanted = {}): Promise<[string, string]> {
  pages[path] = `<h1>Page</h1>`;
  const { sessionId } = await api.startSession({
    steps: [`Open ${site.url}${path}`],
    config: { replay, executorConfig: { screenshotsEnabled: false } },
    ...(tenant === undefined ? {} : { tenant }),
  });
  const status = await endOf(stack, sessionId);
  await stack.engineTemporal.workflow
    .getHandle(sessionId)
    .result()
    .catch(() => {});
  return [sessionId, status];
}

const listed = async (sessionId: string, tenant?: string) =>
  (await api.listRecipes({ tenant })).filter(({ source }) => source.sessionId === sessionId);
/** An export of the recipe that expects something else. */
async function changedFile(recipeId: string): Promise<string> {
  const file = JSON.parse(await api.exportRecipes([recipeId], 'json')) as {
    recipes: { rounds: { after: { texts: string[] } }[] }[];
  };
  file.recipes[0]!.rounds[0]!.after.texts = ['Page #'];
  return JSON.stringify(file);
}
const cli = async (...args: string[]) =>
  (await runCli(['recipes', ...args], { env: { SUREFOOT_HOME: stack.home, DATABASE_URL: stack.databaseUrl } })).stdout;

test('a session uses, changes and lists the recipes of its own tenant alone', async () => {
  const [ours, status] = await ended('/tenants', { tenant: 'acme' });
  expect(status).toBe('COMPLETED');
  const [recipe] = await listed(ours, 'acme');
  expect(recipe).toMatchObject({ status: 'promoted', key: { tenant: 'acme' }, counts: { used: 0 } });
  expect(await listed(ours, 'other')).toEqual([]);

  const [refused, failed] = await ended('/tenants', { replay: 'only' });
  const { error } = await api.showSession(refused);
  expect([failed, error?.message]).toEqual(['FAILED', expect.stringContaining('there is no recipe of it')]);
  const [theirs] = await ended('/tenants', { tenant: 'other' });
  const [other] = await listed(theirs, 'other');
  expect(other!.recipeId).not.toBe(recipe!.recipeId);
  expect((await ended('/tenants', { tenant: 'acme', replay: 'only' }))[1]).toBe('COMPLETED');
  expect(await api.showRecipe(recipe!.recipeId)).toMatchObject({ version: 1, counts: { used: 1 } });
  expect(await api.showRecipe(other!.recipeId)).toMatchObject({ version: 1, counts: { used: 0 } });
  // A fork is a session of the same tenant.
  const fork = await api.forkSession(ours, { fromStep: 1 });
  expect(await endOf(stack, fork.sessionId)).toBe('COMPLETED');
  expect(await api.showRecipe(recipe!.recipeId)).toMatchObject({ version: 1, counts: { used: 2 } });

  const shown = await cli('list', '--tenant', 'acme');
  expect(shown).toContain(recipe!.recipeId);
  expect(shown).not.toContain(other!.recipeId);
}, 240_000);

test('who promoted a version is shown with the time: a session, a person, or who went back', async () => {
  const [sessionId] = await ended('/promoted');
  const [recipe] = await listed(sessionId);
  const { recipeId } = recipe!;
  const at = expect.any(Date) as Date;
  expect(recipe!.promotions.map((each) => ({ ...each, at: new Date(each.at) }))).toEqual([
    { by: 'session', who: sessionId, at },
  ]);
  const file = await changedFile(recipeId);
  expect(file).not.toContain('tenant');
  const [imported] = await api.importRecipes({ text: file, name: 'page.json' });
  expect(imported).toMatchObject({ isNew: true, recipe: { recipeId, version: 2, promotions: [] } });
  await api.promoteRecipe(recipeId, { version: 2, by: 'ada' });
  expect(await cli('promote', recipeId, '--of', '1')).toContain('use version 1');

  const [first, second] = await api.listRecipeVersions(recipeId);
  expect(second!.promotions).toMatchObject([{ by: 'person', who: 'ada', replaced: 1 }]);
  const back = { by: 'person', who: userInfo().username, replaced: 2 };
  expect(first!.promotions).toMatchObject([{ by: 'session', who: sessionId }, back]);
  const shown = await cli('show', recipeId);
  expect(shown).toContain(`by session ${sessionId}, 20`);
  expect(shown).toMatch(new RegExp(`by ${back.who}, 20.*, in place of version 2`));
  expect(await cli('list')).toMatch(new RegExp(`${recipeId} .*promoted +${back.who} `));
}, 240_000);

test('erasing a session deletes what was learnt from it, leaves versions of others, and says so', async () => {
  const [sessionId] = await ended('/erased');
  const [alone] = await ended('/alone');
  const [recipe] = await listed(sessionId);
  const [own] = await listed(alone);
  const file = await changedFile(recipe!.recipeId);
  await api.importRecipes({ text: file.replaceAll(sessionId, 'elsewhere'), name: 'page.json' });

  // The row of the lease goes a moment after the end of the session.
  const erased = (id: string) => eventually(`${id} is erased`, () => api.eraseSession(id).catch(() => undefined));
  const report = await erased(sessionId);
  expect(report.erased).toMatchObject({ recipe_versions: 1 });
  expect(report.erased).not.toHaveProperty('recipes');
  expect(report.left).toContainEqual(expect.stringContaining(recipe!.recipeId));
  expect(await api.listRecipeVersions(recipe!.recipeId)).toMatchObject([
    { version: 2, source: { sessionId: 'elsewhere' } },
  ]);

  expect((await erased(alone)).erased).toMatchObject({ recipe_versions: 1, recipes: 1 });
  await expect(api.showRecipe(own!.recipeId)).rejects.toMatchObject({ status: 404 });
  const rows = await everyRow(stack.databaseUrl);
  expect(rows.filter((row) => row.includes(sessionId) || row.includes(alone))).toEqual([]);
}, 240_000);
