import { condition } from '@temporalio/workflow';
import { BUDGET_SPENT, type BudgetUse } from '../../contracts/models/budget';
import type { StandardError } from '../../contracts/errors/standard-error';
import { CALL_HELD } from '../../contracts/models/model-limits';
import { applicationFailureOf } from '../activities/failures';
import type { SessionRun } from '../sessions/session-run';

/**
 * Asks a model, and asks again after what stood against it: a wait for the rate limit, which is a timer of the workflow
 * and no active time, or a decision on the budget. Neither is a failure, and neither counts as a try.
 */
export async function onceAdmitted<T>(run: SessionRun, stepIndex: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    await run.budgetWait.beforeCall(stepIndex);
    try {
      return await ask();
    } catch (error) {
      const failure = applicationFailureOf(error);
      const refused = failure?.details?.[0] as StandardError | undefined;
      if (failure?.type === CALL_HELD) await waitForPlace(run, refused?.details?.['retryAfterMs'] as number);
      else if (failure?.type === BUDGET_SPENT)
        await run.budgetWait.decide(refused?.details?.['use'] as BudgetUse, stepIndex);
      else throw error;
    }
  }
}

/** A pause that is asked for meanwhile begins at once: nothing is under way. Whoever comes too late gets another place. */
async function waitForPlace(run: SessionRun, waitMs: number): Promise<void> {
  const isPauseAsked = (): boolean => run.pause?.isRequested === true;
  run.clock.stop('model');
  try {
    await condition(isPauseAsked, waitMs, { summary: 'wait for the rate limit of the model' });
  } finally {
    run.clock.start('model');
  }
  await run.pause?.safePoint();
}
