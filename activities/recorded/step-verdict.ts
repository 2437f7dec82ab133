import type { StandardError } from '../../contracts/errors/standard-error';
import type { StepVerdict } from '../../contracts/steps/step-verdict';

/** How a command's error ends its step; undefined where the step goes on. */
export function stepVerdictOf(error: Pick<StandardError, 'details'> | undefined): StepVerdict | undefined {
  return error?.details?.['endsStep'] as StepVerdict | undefined;
}
