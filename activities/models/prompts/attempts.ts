import { notAllowed } from '../../../contracts/browsers/origins';
import { blockedNavigationOf } from '../../../contracts/commands/evidence';
import { DecisionAction, REFLECTION_CONFIDENCE } from '../../../contracts/models/ai-response';
import { judgementOf } from '../../../contracts/approvals/unknown-outcome';
import type { CommandOutcome, PastIteration } from '../port';
import { oneLine, shortened } from '../../../contracts/text';

const ERROR_LIMIT = 1500;
const EVIDENCE_LIMIT = 800;

/**
 * Renders the past attempts of a step with their outcomes, oldest first. Each call only appends to the text, so that
 * vendors can cache it. Parameters and errors are exact, because the model needs them to do better.
 */
export function attemptsText(pastIterations: readonly PastIteration[], keep: number): string {
  if (pastIterations.length === 0) return '';
  const left = Math.max(0, pastIterations.length - keep);
  const shown = pastIterations.slice(left).map((iteration, index) => iterationText(iteration, left + index + 1));
  return [...(left === 0 ? [] : [`(${left} earlier attempts are left out)`]), ...shown].join('\n');
}

function iterationText({ decision, reasoning, context, outcomes }: PastIteration, number: number): string {
  const judged = judgementOf(context);
  const lines = [
    `${number}. You decided ${decision.action} (${oneLine(decision.message)}), expecting: ${oneLine(reasoning.expectedOutcome)}`,
    ...(judged === undefined ? [] : [`   - your judgement of the command with the outcome "unknown": ${judged}`]),
    ...doubtLines({ decision, reasoning, outcomes }),
    ...outcomes.map((outcome) => `   - ${outcomeText(outcome)}`),
  ];
  return lines.join('\n');
}

/** Says why a PROCEED without commands did not complete the step. */
function doubtLines({
  decision,
  reasoning: { confidence },
  outcomes,
}: Pick<PastIteration, 'decision' | 'reasoning' | 'outcomes'>): string[] {
  if (decision.action !== DecisionAction.PROCEED || outcomes.length > 0) return [];
  const isRefuted = decision.resultValidation?.success === false;
  if (!isRefuted && confidence >= REFLECTION_CONFIDENCE) return [];
  const why = isRefuted
    ? 'your resultValidation said that it is not done'
    : `your confidence was ${confidence}, and ${REFLECTION_CONFIDENCE} is needed`;
  return [`   - no commands, and the step does not count as done: ${why}; look for proof on the page, or act`];
}

function outcomeText({ action, parameters, status, error, evidence, resolution, isRepeat }: CommandOutcome): string {
  const what = `${action} ${JSON.stringify(parameters)}`;
  const observed = evidence === undefined ? '' : `; evidence: ${shortened(JSON.stringify(evidence), EVIDENCE_LIMIT)}`;
  switch (status) {
    case 'done':
      return `${what}: done${blockedText(evidence)}${observed}`;
    case 'skipped':
      return isRepeat === true
        ? `${what}: skipped, because it ran before on a page with the same content; find another way`
        : `${what}: skipped, because an earlier command failed`;
    case 'unknown':
      return `${what}: ${unknownText(resolution)}${errorText(error)}${observed}`;
    case 'failed':
      return `${what}: failed${errorText(error)}${observed}`;
  }
}

function blockedText(evidence: CommandOutcome['evidence']): string {
  const blocked = blockedNavigationOf(evidence);
  return blocked === undefined
    ? ''
    : `; it HAPPENED, and then led to a page that was blocked: ${notAllowed(blocked)} Do not run it again`;
}

function unknownText(resolution: CommandOutcome['resolution']): string {
  if (resolution === undefined) return 'unknown, it may have happened';
  const who = resolution.by === 'person' ? 'a person has checked' : 'you have judged';
  return resolution.happened
    ? `unknown at first; ${who}: it HAPPENED, do not run it again`
    : `unknown at first; ${who}: it did NOT happen, it is still to be done`;
}

function errorText(error: CommandOutcome['error']): string {
  return error === undefined ? '' : `, ${error.code}: ${oneLine(error.message, ERROR_LIMIT)}`;
}
