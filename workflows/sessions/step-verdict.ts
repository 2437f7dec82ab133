import type { RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { StepVerdict } from '../../contracts/steps/step-verdict';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { RunningSession } from '../state/session-state';

/** How a command of the batch ends its step. */
export function verdictOf({ outcomes }: RunCommandsOutput): StepVerdict | undefined {
  return outcomes.find(({ endsStep }) => endsStep !== undefined)?.endsStep;
}

/** Records why the step ends; the error of one that has failed by it. */
export function applyVerdict(
  session: RunningSession,
  stepIndex: number,
  { isDone, reason }: StepVerdict,
): StandardError | undefined {
  if (!isDone) return { ...session.error('SP001', reason, { stepIndex }), retryable: false };
  const details = { once: 'already-done' };
  session.warn({ id: `${session.id}/already-done/${stepIndex}`, code: 'SP001', message: reason, details }, stepIndex);
  return undefined;
}
