import { CancellationScope } from '@temporalio/workflow';
import type { SessionEnding } from '../sessions/ending';
import type { SessionRun } from '../sessions/session-run';
import { isSuperseded } from '../proxies/failures';
import { ParallelSteps } from './parallel-steps';

/**
 * Runs the steps of a session at once (S1.A25), each as a session of its own, with a browser of its own. All that were begun end,
 * also where one fails or the session is cancelled; the session has failed where one of them has.
 */
export async function runInParallel(run: SessionRun): Promise<SessionEnding> {
  const { session } = run;
  const steps = new ParallelSteps(run);
  // Each has the limits of the session for itself, and waits for people and browsers by itself.
  session.clock.stop('steps');
  try {
    await steps.runAll();
  } catch (error) {
    if (!isSuperseded(error)) await CancellationScope.nonCancellable(() => steps.cancel());
    throw error;
  } finally {
    session.clock.start('steps');
  }
  return steps.ending();
}
