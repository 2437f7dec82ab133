import type { WebhookDelivery } from '../../../contracts/sessions/webhook';
import type { EngineEndpoints } from '../../../runtime/egress/engine-endpoints';
import type { Settings } from '../../../runtime/settings/settings';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { createActivities } from '../../activity/define-activities';
import { EngineError } from '../../activity/failures';
import type { WebhookActivities } from '../../signatures/webhook-activities';
import { inFormat } from './message-formats';
import { postJson } from './post-json';
import { webhookMessage } from './webhook-message';
import { createHmac } from 'node:crypto';

export interface WebhookDeps {
  store: Store;
  webhooks: Settings['webhooks'];
  /** Where people reach the page; undefined where that is unknown. */
  pageUrl: () => string | undefined;
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
 * Makes one attempt at a delivery. The order is: count the attempt, send, note its end. A worker that is killed before the note sends
 * again with the same id, by which receivers drop doubles.
 */
async function deliverWebhook(
  { store, webhooks, pageUrl, engine, warn }: WebhookDeps,
  { deliveryId }: { deliveryId: string },
  { signal }: Pick<ActivityCall, 'signal'>,
): Promise<WebhookDelivery['status'] | null> {
  const before = await store.webhooks.get(deliveryId);
  const row = before === null ? null : await store.sessions.get(before.sessionId);
  const webhook = row?.plan.config.webhook;
  if (before === null || row === null || webhook === undefined) return null;
  if (before.status !== 'pending') return before.status;
  const attempt = await store.webhooks.beginAttempt(deliveryId);
  const end = async (status: WebhookDelivery['status'], warning: string | null) => {
    await store.webhooks.endAttempt(deliveryId, { status, warning });
    if (warning !== null) warn({ deliveryId, attempt, status }, `webhook not delivered: ${warning}`);
    return status;
  };
  // An attempt whose worker was killed counts too.
  if (attempt > webhooks.attempts) return await end('failed', before.warning ?? 'its worker ended during the attempt');
  const body = JSON.stringify(
    inFormat(webhook.format ?? 'surefoot', await webhookMessage(store, row, before, pageUrl())),
  );
  const headers = signatureHeaders(webhooks.secrets, {
    id: deliveryId,
    seconds: Math.floor(Date.now() / 1000),
    body,
  });
  const sent = await postJson({ url: webhook.url, headers, body, origins: webhooks.origins, engine, signal });
  if (sent.kind === 'taken') return await end('delivered', null);
  if (sent.kind === 'refused' || attempt >= webhooks.attempts) return await end('failed', sent.reason);
  await end('pending', sent.reason);
  throw new EngineError('SP002', sent.reason, { isTemporary: true });
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
