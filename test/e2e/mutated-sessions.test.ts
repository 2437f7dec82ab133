/** Sessions by recipe on pages that were changed after it was learnt: they click the learnt element, or none. */
import {
  CLICK_FLOWS,
  learnFlow,
  runMutated,
  type ClickFlow,
  type MutatedSession,
} from '../../bench/replay/mutated-session';
import { startMutatedSite, type MutatedSite } from '../../bench/replay/mutated-site';
import type { Mutation } from '../../bench/replay/mutations';
import { ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let site: MutatedSite;
beforeAll(async () => {
  site = await startMutatedSite();
  // What a session leaves is a proposal: each begins with the recipe as it was learnt.
  stack = await startWholeStack({ SUREFOOT_RECIPES_PROMOTED_BY: 'person' }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await site.close();
}, 60_000);

const flowOf = (words: string): ClickFlow => CLICK_FLOWS.find(({ click }) => click.includes(words))!;

async function sessionsOn(flow: ClickFlow, changes: Mutation[][]): Promise<MutatedSession[]> {
  const client = { sessions: stack.client, store: stack.engineStore };
  const recipeId = await learnFlow(client, site, flow);
  const done: MutatedSession[] = [];
  for (const mutations of changes) done.push(await runMutated(client, site, flow, recipeId, mutations));
  return done;
}

test('a control that only looks different is used by its recipe, and nothing in place of one that is gone', async () => {
  const done = await sessionsOn(flowOf('Send me news'), [['restyled'], ['vanished']]);
  expect(done.map(({ outcome, wrong }) => [outcome, wrong])).toEqual([
    ['found', []],
    ['refused', []],
  ]);
}, 300_000);

test('of equal buttons in rows that have changed places the one in its row is clicked', async () => {
  const done = await sessionsOn(flowOf('Red tent'), [['reordered'], ['new dialog'], ['duplicated']]);
  expect(done.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(done[0]).toMatchObject({ clickedBy: 'recipe' });
  for (const { clickedBy } of done.slice(1)) expect(['model', 'nobody']).toContain(clickedBy);
}, 300_000);
