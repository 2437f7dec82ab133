import { approvalAnswer } from '../../../contracts/approvals/approval';
import { toWaitingForAnswer } from '../../../contracts/approvals/waiting-for';
import type { WebhookMessage, WebhookQuestion } from '../../../contracts/sessions/webhook';
import { StepStatus } from '../../../contracts/steps/step-result';
import { oneLine } from '../../../contracts/text';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { Store } from '../../../store/store';
import type { WebhookDeliveryRow } from '../../../store/webhooks/webhook-deliveries';

/** A result above this is in the store alone, as in what the workflow returns. */
const MAX_RESULT_BYTES = 1_000_000;
const MAX_TITLE = 200;

/** Builds the message of a delivery, from what was stored when it happened: every attempt builds the same. */
export async function webhookMessage(
  store: Store,
  row: SessionRow,
  delivery: WebhookDeliveryRow,
  pageUrl: string | undefined,
): Promise<WebhookMessage> {
  const { sessionId, plan } = row;
  const { deliveryId, closes, question, ending, happenedAt } = delivery;
  const timestamp = happenedAt.toISOString();
  const title = oneLine(plan.name ?? plan.steps[0]?.instruction ?? '', MAX_TITLE);
  const subject = (path: string) => ({
    sessionId,
    title,
    ...(pageUrl === undefined ? {} : { page: `${pageUrl}${path}` }),
  });
  if (question === null) {
    const data = { ...subject(`/sessions/${sessionId}`), ...(await outcomeOf(store, row)) };
    return { type: `session.${row.status.toLowerCase()}` as 'session.completed', timestamp, data };
  }
  const data = {
    ...subject(placeOf(sessionId, question)),
    question: { questionId: closes ?? deliveryId, ...facts(sessionId, question) },
  };
  if (ending === null) return { type: 'question.asked', timestamp, data };
  return { type: 'question.ended', timestamp, data: { ...data, ending } };
}

async function outcomeOf(store: Store, { sessionId, status, error }: SessionRow) {
  const [steps, newest] = await Promise.all([store.memory.stepResults(sessionId), store.results.get(sessionId)]);
  const completedSteps = steps.filter((step) => step.status === StepStatus.COMPLETED).length;
  const result = newest?.isComplete === true ? newest : undefined;
  const bytes = result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result.value));
  return {
    status,
    completedSteps,
    ...(result === undefined || bytes > MAX_RESULT_BYTES ? {} : { result: result.value }),
    ...(result === undefined ? {} : { resultInfo: { stepIndex: result.stepIndex, rows: result.rows.returned, bytes } }),
    ...(error === null ? {} : { error }),
  };
}

/** Where the page asks it. */
function placeOf(sessionId: string, question: WebhookQuestion): string {
  if (question.pausedFor === 'recipe') return '/waiting';
  const ofApproval = question.pausedFor === 'approval' ? `/${encodeURIComponent(question.approvalId)}` : '';
  return `/waiting/${sessionId}${ofApproval}`;
}

function facts(sessionId: string, question: WebhookQuestion) {
  const { pausedFor } = question;
  if (pausedFor === 'recipe') {
    const { recipeId, version, instruction } = question;
    return {
      pausedFor,
      message: `A recipe was learnt, which is used once a person promotes it: ${oneLine(instruction, MAX_TITLE)}`,
      answerWith: {
        cli: `surefoot recipes promote ${recipeId} --of ${version}`,
        rest: `PUT /v1/recipes/${recipeId}/promoted {"version": ${version}}`,
      },
    };
  }
  if (pausedFor === 'approval') {
    const { approvalId, toolName, title, expiresAt } = question;
    return {
      pausedFor,
      message: title,
      answerWith: approvalAnswer(approvalId),
      approvalId,
      toolName,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  }
  const { message, answerWith } = toWaitingForAnswer(sessionId, question);
  const { expiresAt } = question.pausedFor === 'secret' ? question.secret : {};
  return { pausedFor, message, answerWith, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
