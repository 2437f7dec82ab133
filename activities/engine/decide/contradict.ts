import type { NewRecord } from '../../../contracts/events/log';
import { DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import type { DecisionRequest } from '../../../contracts/model-port/port';
import { outcomeProblems } from '../../../rules/planning/outcome-problems';
import { outcomeWarnings } from '../../recorded/outcome-warnings';
import { stillToBeDone } from './still-to-be-done';
import { beginsNextStep } from '../models/begun-step';
import type { TurnKey } from '../../../store/models/messages';

/**
 * Contradicts a reply that takes the step as done, where the page or a person says otherwise: the model is shown the evidence
 * once and asked again; a model that insists fails the step.
 */
export function contradicted(reply: AIResponse, request: DecisionRequest): AIResponse {
  const isClaim = isDone(reply) || beginsNextStep(reply, request.nextStep);
  if (!isClaim || reply.decision.resultValidation?.success === false) return reply;
  // What was new on the page is so no longer when it is read again.
  const shown = contradictionIn(request.pastIterations.at(-1));
  const denied = stillToBeDone(request.pastIterations);
  const problems = [
    ...(denied === undefined ? [] : [denied]),
    ...outcomeProblems(request, 'fail').map(({ message }) => message),
  ];
  const evidence = shown ?? (problems.length === 0 ? undefined : problems.join(' '));
  if (evidence === undefined) return reply;
  const { forStep: _, ...context } = reply.context ?? {};
  const rest = { ...reply, commands: [], context: { ...context, contradiction: evidence } };
  if (shown !== undefined || !request.mayAct) {
    const message = `The model takes the step as done, and the evidence says otherwise. ${evidence}`;
    return { ...rest, decision: { action: DecisionAction.ABORT, message } };
  }
  const resultValidation = { success: false, expectedElements: [], actualState: evidence, issues: problems };
  return { ...rest, decision: { ...reply.decision, resultValidation } };
}

function isDone({ decision, commands }: AIResponse): boolean {
  return decision.action === DecisionAction.PROCEED && commands.length === 0;
}

/** What a reply was contradicted with. */
function contradictionIn(of: { context?: Record<string, unknown> | undefined } | undefined): string | undefined {
  const contradiction = of?.context?.['contradiction'];
  return typeof contradiction === 'string' ? contradiction : undefined;
}

/** What speaks against a step that is done, and only is to be noted. */
export function warningsAgainst(place: TurnKey, reply: AIResponse, request: DecisionRequest): NewRecord[] {
  return isDone(reply) ? outcomeWarnings(place, outcomeProblems(request, 'warn')) : [];
}
