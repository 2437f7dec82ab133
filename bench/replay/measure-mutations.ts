import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { UsageError, wholeNumber } from '../chaos/options';
import { seededRandom } from '../chaos/random';
import { openHarness } from '../harness/harness';
import {
  CLICK_FLOWS,
  drawMutations,
  learnFlow,
  runMutated,
  type MutatedSession,
  type Outcome,
} from './mutated-session';
import { startMutatedSite } from './mutated-site';
import { MUTATION_KINDS } from './mutations';

const OUTCOMES: readonly Outcome[] = ['found', 'healed', 'by the model', 'refused', 'wrong'];

/**
 * Runs sessions by recipe, with `rules` behind it, on pages of the shop that were changed after it was learnt. False where
 * one clicked another element than the learnt one.
 */
export async function measureMutations(args: string[]): Promise<boolean> {
  const { seed, rounds } = optionsOf(args);
  const random = seededRandom(seed);
  // What a session leaves is a proposal: each begins with the recipe as it was learnt.
  const harness = await openHarness({ SUREFOOT_RECIPES_PROMOTED_BY: 'person' });
  const site = await startMutatedSite();
  try {
    const drawn = CLICK_FLOWS.map((flow) => ({
      flow,
      changes: Array.from({ length: rounds }, (_, round) =>
        MUTATION_KINDS.map((kind) => drawMutations(kind, round % 2 === 1, random)),
      ).flat(),
    }));
    const results = await Promise.all(
      drawn.map(async ({ flow, changes }) => {
        const recipeId = await learnFlow(harness, site, flow);
        const done: MutatedSession[] = [];
        for (const mutations of changes) done.push(await runMutated(harness, site, flow, recipeId, mutations));
        return done;
      }),
    );
    return report(results.flat(), seed);
  } finally {
    await harness.stop();
    await site.close();
  }
}

function optionsOf(args: string[]): { seed: number; rounds: number } {
  try {
    const options = { seed: { type: 'string', default: '18' }, rounds: { type: 'string', default: '2' } } as const;
    const { values } = parseArgs({ args, options });
    return { seed: wholeNumber('--seed', values.seed, 0), rounds: wholeNumber('--rounds', values.rounds, 1) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function report(sessions: readonly MutatedSession[], seed: number): boolean {
  console.log(`\nMutated shop: ${sessions.length} sessions, seed ${seed}, load average ${loadavg()[0]!.toFixed(0)}`);
  const row = (kind: string, own: readonly MutatedSession[]) => ({
    kind,
    ...Object.fromEntries(OUTCOMES.map((each) => [each, own.filter(({ outcome }) => outcome === each).length])),
  });
  const single = MUTATION_KINDS.map((kind) =>
    row(
      kind,
      sessions.filter(({ mutations }) => mutations.length === 1 && mutations[0] === kind),
    ),
  );
  const double = row(
    'two at once',
    sessions.filter(({ mutations }) => mutations.length === 2),
  );
  console.table([...single, double, row('all', sessions)]);
  const wrong = sessions.filter(({ outcome }) => outcome === 'wrong');
  for (const { path, mutations, clickedBy, wrong: clicked } of wrong)
    console.log(`Wrong, by ${clickedBy}: ${mutations.join(' and ')} on ${path}: ${clicked.join(', ')}`);
  return wrong.length === 0;
}
