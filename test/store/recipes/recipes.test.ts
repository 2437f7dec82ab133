import postgres from 'postgres';
import type { RecipeKey } from '../../../contracts/recipes/recipe';
import { recipeIdOf, type ProposedRecipe } from '../../../store/recipes/recipes';
import type { Store } from '../../../store/store';
import { aSession, endSession } from '../../api/fixture';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
}, 120_000);
afterAll(() => stack.stop());

const ADA = { by: 'person', who: 'ada' } as const;

const keyOf = (instruction: string, tenant = 'default'): RecipeKey => ({
  tenant,
  instruction,
  page: 'https://shop.test/cart',
  variables: [],
});

/** A recipe of one click; `name` is that of its button, `sessionId` the session that leaves it. */
function aRecipe(instruction: string, name = 'Buy', sessionId = 'one'): ProposedRecipe {
  const selector = `role=button[name="${name}"]`;
  const target = { selector, role: 'button', name, nth: 0, of: 1, around: [], attributes: {} };
  const page = 'https://shop.test/cart';
  const after = { page: 'https://shop.test/thanks', texts: ['Thank you'], requests: [] };
  return {
    key: keyOf(instruction),
    rounds: [{ page, commands: [{ action: 'CLICK_ELEMENT', parameters: { selector }, target }], after }],
    source: { sessionId, stepIndex: 0 },
  };
}

async function use(recipeId: string, version: number, outcome: 'used' | 'failed'): Promise<void> {
  const report = () => store.recipes.noteUse(sessionId, { stepIndex: 0, recipeId, version, outcome });
  const sessionId = await aSession(store);
  await report();
  // Its activity may be repeated.
  await report();
}

test('of many sessions that heal one recipe at once, one leaves the next version', async () => {
  const recipeId = recipeIdOf(keyOf('Buy at once'));
  expect(await store.recipes.propose(aRecipe('Buy at once'), 0, true)).toBe(1);
  const names = Array.from({ length: 12 }, (_, index) => `Buy ${index}`);
  const left = await Promise.all(
    names.map((name) => store.recipes.propose(aRecipe('Buy at once', name, name), 1, true)),
  );
  expect(left.filter((version) => version !== undefined)).toEqual([2]);
  const versions = await store.recipes.versions(recipeId);
  expect(versions.map(({ version, status }) => [version, status])).toEqual([
    [1, 'retired'],
    [2, 'promoted'],
  ]);
  const [first, second] = versions;
  expect(first!.rounds).toEqual(aRecipe('Buy at once').rounds);
  const winner = names[left.indexOf(2)]!;
  expect(second).toMatchObject({
    isIntact: true,
    source: { sessionId: winner },
    rounds: aRecipe('', winner).rounds,
  });
});

test('a recipe that fails twice in a row is retired; a success, an older version or a repeat is not', async () => {
  const recipeId = recipeIdOf(keyOf('Buy and fail'));
  await store.recipes.propose(aRecipe('Buy and fail'), 0, true);
  await use(recipeId, 1, 'failed');
  await use(recipeId, 1, 'used');
  await use(recipeId, 1, 'failed');
  expect(await store.recipes.promoted(recipeId)).toMatchObject({ counts: { used: 3, failed: 2, failedInARow: 1 } });
  await store.recipes.propose(aRecipe('Buy and fail', 'Order'), 1, true);
  await use(recipeId, 1, 'failed');
  await use(recipeId, 2, 'failed');
  expect(await store.recipes.promoted(recipeId)).toMatchObject({ version: 2, counts: { failedInARow: 1 } });
  await use(recipeId, 2, 'failed');
  expect(await store.recipes.promoted(recipeId)).toBeNull();
  const statuses = (await store.recipes.versions(recipeId)).map(({ status }) => status);
  expect(statuses).toEqual(['retired', 'retired']);
  // A person takes the earlier version again.
  expect(await store.recipes.promote(recipeId, 1, ADA)).toBe(true);
  expect(await store.recipes.promoted(recipeId)).toMatchObject({ version: 1, counts: { failedInARow: 0 } });
  expect(await store.recipes.promote(recipeId, 3, ADA)).toBe(false);
});

test('a proposal is not used until it is promoted, and a forgotten recipe is gone with its versions', async () => {
  const recipeId = recipeIdOf(keyOf('Buy later'));
  await store.recipes.propose(aRecipe('Buy later'), 0, false);
  expect(await store.recipes.promoted(recipeId)).toBeNull();
  expect(await store.recipes.get(recipeId)).toMatchObject({ version: 1, status: 'proposed' });
  await store.recipes.promote(recipeId, 1, ADA);
  expect(await store.recipes.promoted(recipeId)).toMatchObject({ version: 1 });
  expect(await store.recipes.forget(recipeId)).toBe(true);
  expect(await store.recipes.versions(recipeId)).toEqual([]);
  expect(await store.recipes.forget(recipeId)).toBe(false);
});

test('a recipe whose target was changed by hand in the database says so', async () => {
  const recipeId = recipeIdOf(keyOf('Buy poisoned'));
  await store.recipes.propose(aRecipe('Buy poisoned'), 0, true);
  expect((await store.recipes.promoted(recipeId))!.isIntact).toBe(true);
  const sql = postgres(stack.databaseUrl, { onnotice: () => {} });
  await sql`update recipe_versions set rounds = replace(rounds, 'Buy', 'Delete') where recipe_id = ${recipeId}`;
  await sql.end();
  expect(await store.recipes.promoted(recipeId)).toMatchObject({ isIntact: false });
});

test('each promotion is noted with who, when, and what it replaced, also a return to an earlier one', async () => {
  const recipeId = recipeIdOf(keyOf('Buy and note'));
  await store.recipes.propose(aRecipe('Buy and note', 'Buy', 'session-a'), 0, true);
  await store.recipes.propose(aRecipe('Buy and note', 'Order', 'session-b'), 1, false);
  await store.recipes.promote(recipeId, 2, ADA);
  await store.recipes.promote(recipeId, 1, { by: 'person' });
  const [first, second] = await store.recipes.versions(recipeId);
  const at = expect.any(Date) as Date;
  expect(first!.promotions).toEqual([
    { by: 'session', who: 'session-a', at },
    { by: 'person', replaced: 2, at },
  ]);
  expect(second!.promotions).toEqual([{ ...ADA, replaced: 1, at }]);
  expect([first!.status, second!.status]).toEqual(['promoted', 'retired']);
});

test('the same step of two tenants has two recipes, and a list of one tenant has its own alone', async () => {
  const [ours, theirs] = [keyOf('Buy for us', 'ours'), keyOf('Buy for us', 'theirs')];
  for (const key of [ours, theirs]) await store.recipes.propose({ ...aRecipe('Buy for us'), key }, 0, true);
  await store.recipes.forget(recipeIdOf(theirs));
  expect(await store.recipes.promoted(recipeIdOf(theirs))).toBeNull();
  expect(await store.recipes.promoted(recipeIdOf(ours))).toMatchObject({ key: ours, isIntact: true });
  expect((await store.recipes.list('ours')).map(({ key }) => key)).toEqual([ours]);
  expect(await store.recipes.list('theirs')).toEqual([]);
});

test('a recipe that was given to another tenant in the database says that it was changed by hand', async () => {
  const key = keyOf('Buy for them', 'theirs');
  await store.recipes.propose({ ...aRecipe('Buy for them'), key }, 0, true);
  const sql = postgres(stack.databaseUrl, { onnotice: () => {} });
  await sql`update recipes set tenant = 'ours' where recipe_id = ${recipeIdOf(key)}`;
  await sql.end();
  expect(await store.recipes.promoted(recipeIdOf(key))).toMatchObject({ isIntact: false });
});

test('erasing a session deletes the versions that it left, not those of others, nor their numbers', async () => {
  const recipeId = recipeIdOf(keyOf('Buy and erase'));
  const [erased, other] = [await aSession(store), await aSession(store)];
  await store.recipes.propose(aRecipe('Buy and erase', 'Buy', other), 0, true);
  await store.recipes.propose(aRecipe('Buy and erase', 'Order', erased), 1, true);
  await store.recipes.propose(aRecipe('Buy alone', 'Buy', erased), 0, true);
  await endSession(store, erased);
  expect(await store.retention.erase(erased)).toMatchObject({
    kind: 'erased',
    rows: { recipe_versions: 2, recipes: 1 },
    keptRecipes: [recipeId],
  });
  expect(await store.recipes.get(recipeIdOf(keyOf('Buy alone')))).toBeNull();
  // Nobody has said that the earlier one is to be used.
  expect(await store.recipes.promoted(recipeId)).toBeNull();
  expect(await store.recipes.get(recipeId)).toMatchObject({ version: 1, status: 'retired' });
  expect((await store.recipes.list()).map((each) => each.recipeId)).toContain(recipeId);
  const newest = await store.recipes.newestVersion(recipeId);
  expect(await store.recipes.propose(aRecipe('Buy and erase', 'Pay', other), newest, true)).toBe(3);
});

test('what has sent something on a page is found by tenant and page, in any version, and nothing else', async () => {
  const sending = (instruction: string, tenant = 'default', page = 'https://shop.test/pay'): ProposedRecipe => {
    const { rounds, source } = aRecipe(instruction);
    const [round] = rounds;
    const after = { ...round!.after, requests: ['POST https://shop.test/orders'] };
    return { key: keyOf(instruction, tenant), rounds: [{ ...round!, page, after }], source };
  };
  const own = sending('Pay');
  await store.recipes.propose(own, 0, false);
  await store.recipes.propose(aRecipe('Look'), 0, true);
  await store.recipes.propose(sending('Pay elsewhere', 'default', 'https://shop.test/elsewhere'), 0, true);
  await store.recipes.propose(sending('Pay as another', 'another'), 0, true);
  expect(await store.recipes.sending('default', 'https://shop.test/pay')).toEqual(own.rounds);
  expect(await store.recipes.sending('default', 'https://shop.test/cart')).toEqual([]);
});
