import { DecisionAction, type AIResponse } from '../../../../contracts/models/ai-response';
import type { DecisionRequest } from '../../../../contracts/model-port/port';
import { EngineError } from '../../../activity/failures';

const MISFIT = 'misfit';

/**
 * Stands for a reply that never fitted: an attempt that only looks, and that says what was wrong. So the next request is another
 * one, and the step goes on. Undefined where no attempt is left, and where the attempt before was spent in this way.
 */
export function misfitReply(
  faults: readonly string[],
  { iteration, maxIterations, mayAct, pastIterations }: DecisionRequest,
): AIResponse | undefined {
  const isAgain = pastIterations.at(-1)?.context?.[MISFIT] !== undefined;
  if (!mayAct || isAgain || iteration + 1 >= maxIterations) return undefined;
  const message = `The reply did not fit, so nothing was done: ${faults.join('; ')}`;
  return {
    decision: { action: DecisionAction.RETRY, message },
    reasoning: { analysis: message, rationale: '', expectedOutcome: '', confidence: 0.5 },
    commands: [{ action: 'GET_DOM', parameters: {} }],
    context: { [MISFIT]: faults },
  };
}

/** TL003. The same request would get the same reply, so that only another model is tried. */
export function misfitError(model: string, faults: readonly string[]): EngineError {
  const message = `The reply of ${model} does not fit the reply schema, also after it was asked for again: ${faults.join('; ')}`;
  return new EngineError('TL003', message, { details: { faults }, isFinal: true });
}
