import type { StandardError } from '../../../contracts/errors/standard-error';
import { printable } from '../../../contracts/printable';
import { oneLine } from '../../../contracts/text';
import type { SessionRow } from '../../../store/sessions/sessions';

const MAX_TITLE = 120;
const MAX_TEXT = 2000;

interface Failure {
  completedSteps: number;
  failedAt: Date;
  /** Where people reach the page; undefined where that is unknown. */
  pageUrl: string | undefined;
}

/** The mail that a session has failed: which, why, what to do, and where to look. Every attempt builds the same. */
export function failureMail(
  { sessionId, plan, error, createdAt, currentStep }: SessionRow,
  { completedSteps, failedAt, pageUrl }: Failure,
): { subject: string; text: string } {
  const title = clean(plan.name ?? plan.steps[0]?.instruction ?? sessionId, MAX_TITLE);
  const step = clean(plan.steps[currentStep]?.instruction ?? '', MAX_TEXT);
  const [count, done] = [plan.steps.length, completedSteps];
  const paragraphs = [
    `The session “${title}” has failed.`,
    ...(error === null ? [] : [`Why: ${clean(error.message, MAX_TEXT)} (${error.code})`]),
    ...(step === '' ? [] : [`In step ${currentStep + 1} of ${count}: ${step}`]),
    ...(error === null ? [] : [`What to do: ${clean(adviceOf(error), MAX_TEXT)}`]),
    [
      ...(pageUrl === undefined ? [] : [`Look at it: ${pageUrl}/sessions/${sessionId}`]),
      `In a terminal: surefoot show ${sessionId}`,
    ].join('\n'),
    `Done: ${done} of ${count} ${count === 1 ? 'step' : 'steps'}. Begun ${timeOf(createdAt)}, failed ${timeOf(failedAt)}.`,
  ];
  return { subject: `Failed: ${title}`, text: `${paragraphs.join('\n\n')}\n` };
}

function adviceOf({ suggestedAction, cause }: StandardError): string {
  return suggestedAction ?? cause?.suggestedAction ?? 'Look at what the page showed when it failed.';
}

/** What pages and people wrote is one line without control characters. */
function clean(text: string, limit: number): string {
  return oneLine(printable(text), limit);
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
