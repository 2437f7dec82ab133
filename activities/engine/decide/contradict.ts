import type { NewRecord } from '../../../contracts/events/log';
import { DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import type { DecisionRequest } from '../../../contracts/model-port/port';
import { COMMANDS } from '../../../contracts/commands/commands';
import { decideByRules } from '../../../rules/planning/decide';
import { outcomeProblems } from '../../../rules/planning/outcome-problems';
import { outcomeWarnings } from '../../recorded/outcome-warnings';
import { notShown } from './not-shown';
import { isFilling, leftUndone, stillToBeDone, unprovenIn } from './still-to-be-done';
import { iterationsOfThisTry } from '../../../rules/planning/progress';
import { quotesPage } from './quotes-page';
import { beginsNextStep } from '../models/begun-step';
import type { TurnKey } from '../../../store/models/messages';

/**
 * Contradicts a reply that takes the step as done, where the page, a person or the commands of the step say otherwise: the model
 * is shown the evidence once and asked again; a model that insists fails the step. A step in which nothing was done is done
 * where the model quotes the words of the page that show it.
 */
export function contradicted(
  reply: AIResponse,
  request: DecisionRequest,
  { isOfRules = false, isReflecting = true }: { isOfRules?: boolean; isReflecting?: boolean } = {},
): AIResponse {
  const isClaim = isDone(reply) || beginsNextStep(reply, request.nextStep);
  if (!isClaim || reply.decision.resultValidation?.success === false) return reply;
  const problems = problemsOf(request, isOfRules);
  const unproven = isOfRules ? undefined : unprovenIn(request);
  // What was new on the page is so no longer when it is read again.
  const shown = shownSince(request);
  const isProven =
    problems.length === 0 && unproven !== undefined && (quotesPage(reply, request) || isDoneByRules(request));
  if (isProven && (shown === undefined || shown === unproven)) return reply;
  const found = [...problems, ...(unproven === undefined ? [] : [unproven])].join(' ');
  const evidence = shown ?? (found === '' ? undefined : found);
  if (evidence === undefined) return reply;
  const { forStep: _, ...context } = reply.context ?? {};
  const rest = { ...reply, commands: [], context: { ...context, contradiction: evidence } };
  if (shown !== undefined || !request.mayAct) {
    const message = `The model takes the step as done, and the evidence says otherwise. ${evidence}`;
    return { ...rest, decision: { action: DecisionAction.ABORT, message } };
  }
  // Without reflection a PROCEED completes the step, whatever it says of what came before.
  if (!isReflecting)
    return {
      ...rest,
      decision: { ...reply.decision, action: DecisionAction.RETRY },
      commands: [{ action: 'GET_DOM', parameters: {} }],
    };
  const resultValidation = { success: false, expectedElements: [], actualState: evidence, issues: [evidence] };
  return { ...rest, decision: { ...reply.decision, resultValidation } };
}

/** What speaks against the step being done, whatever the model says. */
function problemsOf(request: DecisionRequest, isOfRules: boolean): string[] {
  const own = [stillToBeDone(request.pastIterations), ...(isOfRules ? [] : [leftUndone(request), notShown(request)])];
  const ofPage = [request, ...(isOfRules ? [] : [beforeFilling(request)])].flatMap((judged) =>
    outcomeProblems(judged, 'fail').map(({ message }) => message),
  );
  return [...new Set([...own.filter((each) => each !== undefined), ...ofPage])];
}

/** The step as it was before its last commands only filled in fields: an answer that the server has refused stays refused. */
function beforeFilling(request: DecisionRequest): DecisionRequest {
  const last = request.pastIterations.findLastIndex(({ outcomes }) =>
    outcomes.some(({ action, status }) => status === 'done' && !COMMANDS[action].onlyLooks && !isFilling(action)),
  );
  return { ...request, pastIterations: request.pastIterations.slice(0, last + 1) };
}

/** Whether the page has by itself what the step asks for, as far as the rules can read both. */
function isDoneByRules(request: DecisionRequest): boolean {
  return isDone(decideByRules({ ...request, pastIterations: [] }));
}

function isDone({ decision, commands }: AIResponse): boolean {
  return decision.action === DecisionAction.PROCEED && commands.length === 0;
}

/** What the model was shown against its claim, where nothing was done since. */
function shownSince(request: DecisionRequest): string | undefined {
  const past = iterationsOfThisTry(request);
  const at = past.findLastIndex(({ context }) => typeof context?.['contradiction'] === 'string');
  const hasActedSince = past
    .slice(at + 1)
    .some(({ outcomes }) => outcomes.some(({ action, status }) => status !== 'skipped' && !COMMANDS[action].onlyLooks));
  return at === -1 || hasActedSince ? undefined : (past[at]!.context!['contradiction'] as string);
}

/** What speaks against a step that is done, and only is to be noted. */
export function warningsAgainst(place: TurnKey, reply: AIResponse, request: DecisionRequest): NewRecord[] {
  return isDone(reply) ? outcomeWarnings(place, outcomeProblems(request, 'warn')) : [];
}
