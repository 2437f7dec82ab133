import { condition } from '@temporalio/workflow';
import { BUDGET_SPENT, type BudgetUse } from '../../contracts/models/budget';
import { CALL_HELD } from '../../contracts/models/model-limits';
import { applicationFailureOf, errorRecordOf } from '../proxies/failures';
import type { SessionRun } from '../sessions/session-run';

/** What model calls of a session wait for. */
export type ModelContext = Pick<SessionRun, 'session' | 'pause' | 'budget'>;

/**
 * Calls a model, and calls it again when it was not admitted: after a wait for the rate limit, which is a timer of the
 * workflow and no active time, or after a decision on the budget. Neither is a failure, and neither counts as a try.
 */
export async function onceAdmitted<T>(run: ModelContext, stepIndex: number, call: () => Promise<T>): Promise<T> {
  for (;;) {
    await run.budget.beforeCall(stepIndex);
    try {
      return await call();
    } catch (error) {
      const { details } = errorRecordOf(error) ?? {};
      const type = applicationFailureOf(error)?.type;
      if (type === CALL_HELD) await waitForRateLimit(run, details?.['retryAfterMs'] as number);
      else if (type === BUDGET_SPENT) await run.budget.decide(details?.['use'] as BudgetUse, stepIndex);
      else throw error;
    }
  }
}

/** A pause that is requested meanwhile begins at once: nothing is under way. A call that comes too late waits again. */
async function waitForRateLimit({ session, pause }: ModelContext, waitMs: number): Promise<void> {
  session.clock.stop('model');
  try {
    await condition(() => pause.isRequested, waitMs, { summary: 'wait for the rate limit of the model' });
  } finally {
    session.clock.start('model');
  }
  await pause.safePoint();
}
