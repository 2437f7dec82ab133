import { notAllowed } from '../../../../contracts/browsers/origins';
import { blockedNavigationOf } from '../../../../contracts/commands/evidence';
import { DecisionAction, REFLECTION_CONFIDENCE } from '../../../../contracts/models/ai-response';
import { judgementOf } from '../../../../contracts/approvals/unknown-outcome';
import type { PastCommand, PastIteration } from '../../../../contracts/model-port/port';
import { toElementText } from '../../../../contracts/commands/element-text';
import { oneLine } from '../../../../contracts/text';
import { wordOf } from '../replies/as-reply';
import { observedText } from './observed';

const ERROR_LIMIT = 600;

/** How much of the past attempts a prompt contains. */
export interface AttemptsBudget {
  /** Most attempts. */
  count: number;
  /** Most characters of the attempts before the newest, which is whole. */
  characters: number;
}

/**
 * Renders the past attempts of a step with their outcomes, oldest first, a line for each command. The parameters and errors
 * of the newest attempt are exact, because the model needs them to do better.
 */
export function attemptsText(pastIterations: readonly PastIteration[], { count, characters }: AttemptsBudget): string {
  const texts = pastIterations.map((iteration, index) => iterationText(iteration, index + 1));
  const [newest, ...earlier] = texts.toReversed();
  if (newest === undefined) return '';
  let room = characters;
  const tooMuch = earlier.findIndex((text, index) => index >= count - 1 || (room -= text.length) < 0);
  const shown = tooMuch === -1 ? earlier : earlier.slice(0, tooMuch);
  const left = earlier.length - shown.length;
  return [...(left === 0 ? [] : [`(${left} earlier attempts are left out)`]), ...shown.toReversed(), newest].join('\n');
}

function iterationText({ decision, reasoning, context, outcomes }: PastIteration, number: number): string {
  const judged = judgementOf(context);
  const memory = memoryOf(context);
  const expected = oneLine(reasoning.expectedOutcome, 200);
  const lines = [
    `${number}. You decided ${wordOf(decision.action)} (${oneLine(decision.message, 300)})${expected === '' ? '' : `, expecting: ${expected}`}`,
    ...(memory === undefined ? [] : [`   - you noted: ${oneLine(memory, 500)}`]),
    ...(judged === undefined ? [] : [`   - your judgement of the command with the outcome "unknown": ${judged}`]),
    ...doubtLines({ decision, reasoning, context, outcomes }),
    ...outcomes.map((outcome) => `   - ${outcomeText(outcome)}`),
  ];
  return lines.join('\n');
}

/** Says why a PROCEED without commands did not complete the step. */
function doubtLines({
  decision,
  reasoning: { confidence },
  context,
  outcomes,
}: Pick<PastIteration, 'decision' | 'reasoning' | 'context' | 'outcomes'>): string[] {
  const contradiction = context?.['contradiction'];
  if (typeof contradiction === 'string')
    return [
      `   - the step does not count as done: ${oneLine(contradiction, ERROR_LIMIT)} Correct that, or decide ${wordOf(DecisionAction.ABORT)}; to say again that it is done fails the step`,
    ];
  if (decision.action !== DecisionAction.PROCEED || outcomes.length > 0) return [];
  const isRefuted = decision.resultValidation?.success === false;
  if (!isRefuted && confidence >= REFLECTION_CONFIDENCE) return [];
  const why = isRefuted
    ? 'your resultValidation said that it is not done'
    : `your confidence was ${confidence}, and ${REFLECTION_CONFIDENCE} is needed`;
  return [`   - no commands, and the step does not count as done: ${why}; look for proof on the page, or act`];
}

function outcomeText({
  action,
  parameters,
  within,
  status,
  error,
  evidence,
  resolution,
  isRepeat,
}: PastCommand): string {
  const place = within === undefined ? '' : ` (in “${oneLine(within, 80)}”)`;
  const what = `${action} ${JSON.stringify(named(parameters))}${place}`;
  const seen = observedText(evidence);
  const observed = seen === '' ? '' : `; ${seen}`;
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

/** Names elements as the page does: a selector would be taken for what a reply should give. */
function named(parameters: PastCommand['parameters']): object {
  const { selector, toSelector } = parameters;
  return {
    ...parameters,
    ...(selector === undefined ? {} : { selector: toElementText(selector) }),
    ...(toSelector === undefined ? {} : { toSelector: toElementText(toSelector) }),
  };
}

function blockedText(evidence: PastCommand['evidence']): string {
  const blocked = blockedNavigationOf(evidence);
  return blocked === undefined
    ? ''
    : `; it HAPPENED, and then led to a page that was blocked: ${notAllowed(blocked)} Do not run it again`;
}

const WHO = { person: 'a person has checked', check: 'the site was looked at', model: 'you have judged' } as const;

function unknownText(resolution: PastCommand['resolution']): string {
  if (resolution === undefined) return 'unknown, it may have happened';
  const who = WHO[resolution.by];
  return resolution.happened
    ? `unknown at first; ${who}: it HAPPENED, do not run it again`
    : `unknown at first; ${who}: it did NOT happen, it is still to be done`;
}

function errorText(error: PastCommand['error']): string {
  return error === undefined ? '' : `, ${error.code}: ${oneLine(error.message, ERROR_LIMIT)}`;
}

/** What a model wrote down for later calls (`context.memory`); undefined where it wrote nothing. */
function memoryOf(context: Record<string, unknown> | undefined): string | undefined {
  const memory = context?.['memory'];
  return typeof memory === 'string' && memory.trim() !== '' ? memory : undefined;
}
