import { randomUUID } from 'node:crypto';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Recipe, RecipeTarget } from '../../../contracts/recipes/recipe';
import type { StartRequest } from '../../../contracts/sessions/start-request';
import { endedSession, type HarnessClient } from '../../harness/harness';
import { retryUntil } from '../retry-until';
import { demoRequest } from './demo-request';

/** Sessions that are done by recipes, each of which has elements to be healed. */
export interface ReplayedDemo {
  /** Resolves to the request of one session, once all recipes are in use again: kills may have made one fail twice. */
  request(run: string): Promise<object>;
}

/** What a session leaves is not used, so that the next one has to heal as well. */
export const REPLAY_ENV = { SUREFOOT_RECIPES_PROMOTED_BY: 'person' } as const;

const ENDED_WITHIN_MS = 180_000;
const LEARNT_WITHIN_MS = 60_000;
const STORED_WITHIN_MS = 60_000;
/** By these an element is found under a new name. */
const STABLE = ['id', 'name', 'data-testid'];

/** Has `rules` do the demo once, and makes its recipes those of a page whose fields had other names. */
export async function learnDemo({ shop, sessions, store }: HarnessClient): Promise<ReplayedDemo> {
  const demo = request(shop, randomUUID());
  const { sessionId } = await sessions.start(demo);
  const { session, error } = await endedSession(sessions, sessionId, ENDED_WITHIN_MS);
  if (session.status !== SessionStatus.COMPLETED)
    throw new Error(`The demo ended ${session.status} before any kill: ${error?.message}`);
  const learnt = await retryUntil('a recipe of each step', LEARNT_WITHIN_MS, async () => {
    const own = (await store.recipes.list()).filter(({ source }) => source.sessionId === sessionId);
    return own.length === demo.steps.length ? own : undefined;
  });
  const used = new Map<string, number>();
  for (const recipe of learnt) used.set(recipe.recipeId, await age(recipe));
  return {
    async request(run) {
      await retryUntil('the recipes are in use', STORED_WITHIN_MS, async () => {
        for (const [recipeId, version] of used)
          if ((await store.recipes.promoted(recipeId)) === null)
            await store.recipes.promote(recipeId, version, { by: 'person' });
        return true;
      });
      return request(shop, run);
    },
  };

  async function age({ recipeId, key, rounds, source, version }: Recipe): Promise<number> {
    const older = rounds.map((round) => ({
      ...round,
      commands: round.commands.map(({ target, ...command }) =>
        target === undefined ? command : { ...command, target: withOldName(target) },
      ),
    }));
    const added = await store.recipes.propose({ key, rounds: older, source }, version, true);
    if (added === undefined) throw new Error(`Expected nobody else to change ${recipeId}.`);
    return added;
  }
}

function withOldName(target: RecipeTarget): RecipeTarget {
  const { name, selector, attributes } = target;
  if (name === '' || !STABLE.some((attribute) => attribute in attributes)) return target;
  return { ...target, name: `${name} of old`, selector: selector.replace(name, `${name} of old`) };
}

/** The label is a variable: the text of a step is part of the key of its recipe. */
function request(shop: string, run: string): StartRequest {
  const demo = demoRequest(shop, '${run}', 'steps') as StartRequest;
  return { ...demo, variables: { ...demo.variables, run }, config: { replay: 'prefer' } };
}
