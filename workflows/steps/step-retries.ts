import { isCancellation, sleep } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';
import { applicationFailureOf, errorOf, isSuperseded } from '../proxies/failures';
import { retryDelayMs } from '../../contracts/sessions/timeouts';
import type { RunningSession } from '../state/session-state';
import type { PageState } from '../../contracts/events/outbox';

/** How one try of a step ended. */
export interface StepEnd {
  error: StandardError | undefined;
  reasoning: string;
  page: PageState | undefined;
}

/** How far a step has come, over all of its tries. */
export interface StepProgress {
  /** Number of the next call of the model. */
  turn: number;
  /** The call with which this try began. */
  triedFrom: number;
  /** No call before this one counts: the session has signed in since, or is about to. */
  freshFrom?: number | undefined;
  /** What follows in place of the session's next steps, while it signs in. */
  laterSteps?: readonly string[] | undefined;
}

/**
 * Tries a step that failed again, as often as its options say (S1.A24), within the step's one time limit. Another try goes
 * on where the one before ended: what was done stays done and is reported to the model, so that nothing is sent twice.
 */
export async function withStepRetries(
  session: RunningSession,
  work: (progress: StepProgress) => Promise<StepEnd>,
): Promise<StepEnd> {
  const { index: stepIndex, current } = session.steps;
  const retries = current.options.retryOnFailure ? current.options.maxRetries : 0;
  const progress: StepProgress = { turn: 0, triedFrom: 0 };
  for (let retry = 1; ; retry += 1) {
    const isLast = retry > retries;
    let error: StandardError;
    try {
      const end = await work(progress);
      if (end.error === undefined || isLast || !end.error.retryable) return end;
      error = end.error;
    } catch (thrown) {
      const isOurs = isCancellation(thrown) || isSuperseded(thrown) || applicationFailureOf(thrown) === undefined;
      error = errorOf(thrown, 'TL004');
      if (isOurs || isLast || !error.retryable) throw thrown;
    }
    progress.triedFrom = progress.turn;
    const message = `Step ${stepIndex + 1} failed and is tried again (${retry} of ${retries}). ${error.message}`;
    session.warn({ id: `${error.id}/retried`, code: error.code, message }, stepIndex);
    const delayMs = retryDelayMs(session.config.timeouts, retry);
    await sleep(delayMs, { summary: `wait before step ${stepIndex + 1} is tried again` });
  }
}
