import type { Batch, BatchRow } from '../../../contracts/batches/batch';
import type { StandardError } from '../../../contracts/errors/standard-error';
import { printable } from '../../../contracts/printable';
import { oneLine } from '../../../contracts/text';
import type { SessionRow } from '../../../store/sessions/sessions';

/** Failed rows that a mail says the reason of. */
export const MAX_ROWS = 10;
const MAX_TITLE = 120;
const MAX_TEXT = 2000;
const MAX_REASON = 500;

export interface MailText {
  subject: string;
  text: string;
}

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
): MailText {
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

/** The mail that a batch has ended with failed rows: how many, the first of them with their reasons, and where to look. */
export function batchFailureMail(
  { id, name, state, total, rows, createdAt, endedAt }: Batch,
  { failed, pageUrl }: { failed: readonly BatchRow[]; pageUrl: string | undefined },
): MailText {
  const title = clean(name ?? id, MAX_TITLE);
  const count = rows.failed + rows.invalid;
  const others = (['invalid', 'cancelled'] as const).filter((each) => rows[each] > 0);
  const counts = (['completed', 'failed', 'already-done', ...others] as const).map(
    (each) => `${rows[each]} ${each.replace('-', ' ')}`,
  );
  const first = failed.toSorted((one, other) => one.row - other.row).slice(0, MAX_ROWS);
  const paragraphs = [
    `The batch “${title}” ${state === 'cancelled' ? 'was cancelled' : 'has ended'} with failed rows.`,
    `Of ${total} ${total === 1 ? 'row' : 'rows'}: ${counts.join(', ')}.`,
    ...first.map((row) => rowText(row, pageUrl)),
    ...(count > first.length ? [`… and ${count - first.length} more.`] : []),
    [
      `In a terminal: surefoot batch show ${id}`,
      ...(rows.failed === 0 ? [] : [`Run those that failed again: surefoot batch retry ${id}`]),
    ].join('\n'),
    `Begun ${timeOf(createdAt)}, ended ${timeOf(endedAt ?? createdAt)}.`,
  ];
  return { subject: `Failed: ${count} of ${total} rows of ${title}`, text: `${paragraphs.join('\n\n')}\n` };
}

function rowText({ row, state, reason, sessionId }: BatchRow, pageUrl: string | undefined): string {
  const what = `Row ${row}: ${clean(reason ?? state, MAX_REASON)}`;
  return pageUrl === undefined || sessionId === undefined ? what : `${what}\n${pageUrl}/sessions/${sessionId}`;
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
