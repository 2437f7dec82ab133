import { log } from '@temporalio/activity';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { PublishInput } from '../../signatures/engine-activities';
import { isOutage } from '../../activity/failures';
import { learnRecipes } from '../recipes/learn-recipes';
import { DEFAULT_RECIPE_POLICY, type RecipePolicy } from '../recipes/replay-mode';
import { writeOutbox } from '../../activity/write-outbox';

/** Writes what must be seen now. Once it was the end of a session that went well, its steps are learnt. */
export async function publishEvents(
  { store, recipePolicy = DEFAULT_RECIPE_POLICY }: { store: Store; recipePolicy?: RecipePolicy | undefined },
  { sessionId, outbox }: PublishInput,
  { runId }: Pick<ActivityCall, 'runId'>,
): Promise<void> {
  await writeOutbox(store, sessionId, runId, outbox);
  if (outbox.patch.closed !== true || outbox.patch.status !== SessionStatus.COMPLETED) return;
  try {
    await learnRecipes(store, recipePolicy, sessionId);
  } catch (error) {
    // Another attempt writes nothing twice. A session that has ended well is not to fail for a recipe.
    if (isOutage(error)) throw error;
    log.warn('the steps of a session were not learnt', { sessionId, error: String(error) });
  }
}
