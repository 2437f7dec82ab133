/** Pages of the shop, changed in 64 ways from a seed: the element of a recipe is the right one, or none is taken. */
import type { Page } from 'playwright';
import { planRound } from '../../../activities/engine/recipes/plan-round';
import { targetOfRef } from '../../../activities/engine/recipes/marks';
import { findRecipeTarget } from '../../../activities/engine/recipes/find-target';
import { oneOf, seededRandom } from '../../../bench/chaos/random';
import { MUTATION_KINDS, MUTATIONS, type Mutation } from '../../../bench/replay/mutations';
import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../contracts/commands/planned-command';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { IS_LONG_RUN } from '../../support/long-run';

const SEED = 18;
const PAGES = ['/login', '/catalogue', '/products/trail-shoe', '/parts/form', '/parts/equal-names'];
const ROLES = new Set(['button', 'link', 'textbox', 'checkbox', 'combobox', 'radio']);

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

const locate = (page: Page, { selector, nth, of }: Target) =>
  of > 1 ? page.locator(selector).nth(nth) : page.locator(selector);

/** What is found again on its own page alone. */
function isLearnt(page: PageSnapshot, ref: string): boolean {
  const found = targetOfRef(page, ref);
  return found !== undefined && findRecipeTarget(page, found.target).kind === 'found';
}

/** What became of a recipe of one control of a page that was changed after it was learnt. */
async function outcomeOf(path: string, mutation: Mutation, random: () => number): Promise<string> {
  await session.open(`${stage.shop.url}${path}`);
  const before = await session.look();
  const refs = [...walkNodes(before.nodes)].flatMap(({ node }) =>
    ROLES.has(node.role) && node.ref !== undefined && isLearnt(before, node.ref) ? [node.ref] : [],
  );
  const learnt = targetOfRef(before, oneOf(random, refs)!)!.target;
  const element = locate(session.page(), learnt);
  await element.evaluate((found) => Object.assign(globalThis, { learnt: found }));
  await element.evaluate(MUTATIONS[mutation] as (found: Element) => void);
  const page = toPagePattern(before.url);
  const round: RecipeRound = {
    page,
    commands: [{ action: 'CLICK_ELEMENT', parameters: { selector: learnt.selector }, target: learnt }],
    after: { page, texts: [], requests: [] },
  };
  // The stored snapshot is the one before: another is taken.
  await session.run([]);
  const now = await session.look();
  if (toPagePattern(now.url) !== page) return 'left to the model';
  const { commands, isHealed } = planRound(
    now,
    {
      sessionId: session.sessionId,
      stepIndex: 0,
      turn: 0,
      step: { instruction: 'Click it' },
      namesUsed: new Set([learnt.name]),
    },
    round,
  );
  const [command] = commands;
  if (command === undefined) return 'left to the model';
  const found = locate(session.page(), command.target!);
  // As it is counted before a command acts.
  if ((await session.page().locator(command.target!.selector).count()) !== command.target!.of)
    return 'left to the model';
  const isRight = await found.evaluate((one) => one === (globalThis as { learnt?: Element }).learnt);
  return isRight ? (isHealed ? 'healed' : 'found') : `wrong: ${mutation} of ${JSON.stringify(learnt)} on ${path}`;
}

const COUNT = IS_LONG_RUN ? 64 : 32;
const OF_EACH = COUNT / MUTATION_KINDS.length;

test(`of ${COUNT} mutations none leads to another element, and what only looks different is still found`, async () => {
  const random = seededRandom(SEED);
  const table: Record<string, Record<string, number>> = {};
  const wrong: string[] = [];
  for (let each = 0; each < COUNT; each += 1) {
    const mutation = MUTATION_KINDS[each % MUTATION_KINDS.length]!;
    const outcome = await outcomeOf(PAGES[Math.floor(each / MUTATION_KINDS.length) % PAGES.length]!, mutation, random);
    if (outcome.startsWith('wrong')) wrong.push(outcome);
    const counts = (table[mutation] ??= {});
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  if (process.env['SUREFOOT_SHOW_TABLE'] === '1') process.stderr.write(`${JSON.stringify(table)}\n`);
  expect(wrong).toEqual([]);
  expect(table['restyled']).toEqual({ found: OF_EACH });
  expect(table['vanished']).toEqual({ 'left to the model': OF_EACH });
  expect(table['new address']).toEqual({ 'left to the model': OF_EACH });
  expect(table['moved']!['found']).toBeGreaterThan(0);
}, 180_000);
