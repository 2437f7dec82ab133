import { isCancellation, sleep } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { StepEnd } from './act-reflect';
import { applicationFailureOf, errorOf, isSuperseded, retryDelayMs } from '../activities/failures';
import type { SessionRun } from '../sessions/session-run';
import { optionsOf } from './step-options';

/** How far a step has come, over all of its tries. */
export interface StepProgress {
  /** Number of the next call of the model. */
  turn: number;
  /** The call with which this try began. */
  triedFrom: number;
}

/**
 * Tries a step that failed again, as often as its options say (S1.A24), within the step's one limit of time. It goes on
 * where it was: what was done stays done and is told to the model, so that nothing is sent a second time.
 */
export async function withStepRetries(
  run: SessionRun,
  stepIndex: number,
  work: (progress: StepProgress) => Promise<StepEnd>,
): Promise<StepEnd> {
  const { retries } = optionsOf(run.steps[stepIndex]!, run.config);
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
    const delayMs = retryDelayMs(run.config.timeouts, retry);
    tell(run, stepIndex, error, `Step ${stepIndex + 1} failed and is tried again (${retry} of ${retries}).`);
    await sleep(delayMs, { summary: `wait before step ${stepIndex + 1} is tried again` });
  }
}

function tell(run: SessionRun, stepIndex: number, error: StandardError, what: string): void {
  const warning = {
    id: `${error.id}/retried`,
    code: error.code,
    message: `${what} ${error.message}`,
    timestamp: new Date(),
    sessionId: run.sessionId,
    stepIndex,
  };
  run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, stepIndex);
}
