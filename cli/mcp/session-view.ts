import type { ApiClient } from '../../client/http/api-client';
import { isCancellation } from '../../contracts/errors/cancellation';
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { isOpen, SessionStatus } from '../../contracts/sessions/session';
import { bytesOf } from '../../contracts/json';
import { fitted, oneLine } from '../../contracts/text';

export type Details = Awaited<ReturnType<ApiClient['showSession']>>;
export type ApprovalQuestion = Extract<PendingQuestion, { kind: 'approval' }>;

/** Why nothing happens in a session until somebody does something. */
export type Standstill =
  'ended' | 'approval' | 'unknown-outcome' | 'secret' | 'budget' | 'message' | 'rolled-back-store' | 'paused';

/** Returns why the session stands still; undefined while it works. */
export function standstillOf(details: Details): Standstill | undefined {
  const { session, waitingFor } = details;
  if (!isOpen(session.status)) return 'ended';
  if (questionsOf(details).length > 0) return 'approval';
  if (waitingFor !== null) return waitingFor.pausedFor;
  return session.status === SessionStatus.PAUSED ? 'paused' : undefined;
}

export function questionsOf({ approvals }: Details): ApprovalQuestion[] {
  return approvals.filter((each) => each.kind === 'approval');
}

const LONGEST_STEP = 200;
/** Of a result in the text of an answer; its data has the whole. */
const LONGEST_RESULT = 4000;
/** A larger result is for a program, not for the context of a model. */
const MOST_RESULT_BYTES = 64 * 1024;

/** Renders a session for a model: how it stands, what it has, and what to do next. */
export function sessionLines(details: Details): string[] {
  const { session, progress, stepResults, variables, error, answer, usage, queuePosition } = details;
  const { completedSteps, totalSteps } = progress;
  const failed = stepResults.filter(({ success }) => !success);
  const used = usage.calls === 0 ? '' : `, ${usage.calls} model calls, ${usage.totalTokens} tokens, $${usage.cost}`;
  return [
    `Session ${session.sessionId}: ${session.status}, ${completedSteps} of ${totalSteps} steps done${used}.`,
    ...(queuePosition === undefined ? [] : [`It waits for a browser, at place ${queuePosition} of the queue.`]),
    ...failed.flatMap(({ stepIndex, error: reason }) =>
      reason === undefined || isCancellation(reason)
        ? []
        : [`Step ${stepIndex + 1} failed: ${reason.code} ${reason.message}`],
    ),
    ...(error === null || failed.some((each) => each.error?.message === error.message)
      ? []
      : [`Error: ${error.code} ${error.message}`]),
    ...(error?.suggestedAction === undefined ? [] : [error.suggestedAction]),
    ...(answer === null ? [] : [`Answer: ${answer}`]),
    ...resultLines(details),
    ...variables
      .filter(({ source }) => source !== 'user_input')
      .map(({ name, value }) => `${name} = ${fitted(oneLine(value), LONGEST_STEP)}`),
  ];
}

function resultLines({ result, session: { sessionId } }: Details): string[] {
  if (result === null) return [];
  const text = JSON.stringify(result);
  const bytes = bytesOf(result);
  const whole =
    bytes > MOST_RESULT_BYTES
      ? [
          `It has ${bytes} bytes, too many for an answer: GET /v1/sessions/${sessionId}/result, or surefoot show ${sessionId} --json.`,
        ]
      : [];
  return [`Result: ${fitted(text, LONGEST_RESULT)}`, ...whole];
}

/** What a session returns by its schema; of a large one its size. */
export function resultData({ result }: Details): Record<string, unknown> {
  if (result === null) return {};
  const bytes = bytesOf(result);
  return bytes > MOST_RESULT_BYTES ? { result_bytes: bytes } : { result };
}

/** The same as data, under names that stay. */
export function sessionData(details: Details): Record<string, unknown> {
  const { session, progress, variables, error, answer, usage, lastSeq, waitingFor } = details;
  const standstill = standstillOf(details);
  return {
    session_id: session.sessionId,
    status: session.status,
    is_ended: standstill === 'ended',
    ...(standstill === undefined || standstill === 'ended' ? {} : { waits_for: standstill }),
    ...(waitingFor === null ? {} : { waiting: waitingFor }),
    completed_steps: progress.completedSteps,
    total_steps: progress.totalSteps,
    answer,
    ...resultData(details),
    variables: Object.fromEntries(
      variables.filter(({ source }) => source !== 'user_input').map(({ name, value }) => [name, value]),
    ),
    error: error === null ? null : { code: error.code, message: error.message },
    approvals: questionsOf(details).map(({ approvalId, toolName, classification, card }) => ({
      approval_id: approvalId,
      tool: toolName,
      classification,
      question: card.title,
    })),
    cost_usd: usage.cost,
    last_seq: lastSeq,
  };
}

/** What the caller does next in a session that stands still. */
export function nextLines(details: Details, canAsk: boolean): string[] {
  const { sessionId } = details.session;
  switch (standstillOf(details)) {
    case 'approval':
      return canAsk
        ? ['A person has not answered yet. Call follow_session to ask again, or wait for an answer by other means.']
        : [
            ...questionsOf(details).map(
              ({ approvalId, card }) => `It waits for an approval, ${approvalId}: ${card.title}`,
            ),
            'Show the question to the person you work for (list_approvals has all of it), and pass the answer on with answer_approval.',
          ];
    case 'unknown-outcome':
    // Codes and links do not pass through a model.
    case 'secret':
    case 'budget':
    case 'rolled-back-store':
      return [`It waits for a person: ${details.waitingFor?.message} ${details.waitingFor?.answerWith.cli}`];
    case 'message':
      return [
        'It is open and waits for the next message (send_message), or call of a browser tool; close_session ends it.',
      ];
    case 'paused':
      return [`It is paused; resume_session goes on.`];
    case 'ended':
      return [];
    case undefined:
      return [
        `It goes on. Call follow_session with session_id ${sessionId} and after ${details.lastSeq} to follow it.`,
      ];
  }
}
