import type { WebhookDelivery, WebhookMessage } from '../../../contracts/sessions/webhook';
import { isOpen } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import type { EngineEndpoints } from '../../../runtime/egress/engine-endpoints';
import type { Settings } from '../../../runtime/settings/settings';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { createActivities } from '../../activity/define-activities';
import { EngineError } from '../../activity/failures';
import type { WebhookActivities } from '../../signatures/webhook-activities';
import { postJson } from './post-json';
import { createHmac } from 'node:crypto';

/** A result above this is in the store alone, as in what the workflow returns. */
const MAX_RESULT_BYTES = 1_000_000;

export interface WebhookDeps {
  store: Store;
  webhooks: Settings['webhooks'];
  /** Where the engine itself listens. */
  engine: EngineEndpoints;
  warn: (facts: object, message: string) => void;
}

export function createWebhookActivities(deps: WebhookDeps): WebhookActivities {
  return createActivities<WebhookDeps, WebhookActivities>(deps, {
    deliverWebhook: ['SP002', 'step-processor', deliverWebhook],
  });
}

/**
 * Reports the end of a session, once. The order is: count the attempt, send, note its end. A worker that is killed
 * before the note sends again with the same id, by which receivers drop doubles.
 */
async function deliverWebhook(
  { store, webhooks, engine, warn }: WebhookDeps,
  { sessionId }: { sessionId: string },
  { signal }: Pick<ActivityCall, 'signal'>,
): Promise<WebhookDelivery['status'] | null> {
  const row = await store.sessions.get(sessionId);
  const url = row?.plan.config.webhook?.url;
  if (row === null || url === undefined) return null;
  if (!row.closed || isOpen(row.status))
    throw new EngineError('SP002', 'The session has not ended yet.', { isTemporary: true });
  const before = await store.webhooks.get(sessionId);
  if (before !== null && before.status !== 'pending') return before.status;
  const attempt = await store.webhooks.beginAttempt(sessionId);
  const end = async (status: WebhookDelivery['status'], warning: string | null) => {
    await store.webhooks.endAttempt(sessionId, { status, warning });
    if (warning !== null) warn({ sessionId, attempt, status }, `webhook not delivered: ${warning}`);
    return status;
  };
  // An attempt whose worker was killed counts too.
  if (attempt > webhooks.attempts) return await end('failed', before?.warning ?? 'its worker ended during the attempt');
  const body = JSON.stringify(await messageOf(store, row));
  const headers = signatureHeaders(webhooks.secrets, {
    id: webhookId(sessionId),
    seconds: Math.floor(Date.now() / 1000),
    body,
  });
  const sent = await postJson({ url, headers, body, origins: webhooks.origins, engine, signal });
  if (sent.kind === 'taken') return await end('delivered', null);
  if (sent.kind === 'refused' || attempt >= webhooks.attempts) return await end('failed', sent.reason);
  await end('pending', sent.reason);
  throw new EngineError('SP002', sent.reason, { isTemporary: true });
}

function webhookId(sessionId: string): string {
  return `session-end-${sessionId}`;
}

async function messageOf(store: Store, row: SessionRow): Promise<WebhookMessage> {
  const { sessionId, status, error, lastActivity } = row;
  const [steps, newest] = await Promise.all([store.memory.stepResults(sessionId), store.results.get(sessionId)]);
  const completedSteps = steps.filter((step) => step.status === StepStatus.COMPLETED).length;
  const result = newest?.isComplete === true ? newest : undefined;
  const bytes = result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result.value));
  return {
    type: `session.${status.toLowerCase()}` as WebhookMessage['type'],
    timestamp: lastActivity.toISOString(),
    data: {
      sessionId,
      status,
      completedSteps,
      ...(result === undefined || bytes > MAX_RESULT_BYTES ? {} : { result: result.value }),
      ...(result === undefined
        ? {}
        : { resultInfo: { stepIndex: result.stepIndex, rows: result.rows.returned, bytes } }),
      ...(error === null ? {} : { error }),
    },
  };
}

/** The headers of Standard Webhooks: one signature for each secret, so that a secret can be rotated. */
function signatureHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
