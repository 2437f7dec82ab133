import { FAILED_ROW_STATES } from '../../../contracts/batches/batch';
import type { WebhookDelivery } from '../../../contracts/sessions/webhook';
import { StepStatus } from '../../../contracts/steps/step-result';
import type { EngineEndpoints } from '../../../runtime/egress/engine-endpoints';
import type { Settings } from '../../../runtime/settings/settings';
import type { BatchRecord } from '../../../store/batches/batches';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { Store } from '../../../store/store';
import type { WebhookDeliveryRow } from '../../../store/webhooks/webhook-deliveries';
import type { ActivityCall } from '../../activity/activity';
import { createActivities } from '../../activity/define-activities';
import { EngineError } from '../../activity/failures';
import type { WebhookActivities } from '../../signatures/webhook-activities';
import { batchFailureMail, failureMail, MAX_ROWS, type MailText } from './failure-mail';
import { inFormat } from './message-formats';
import { postJson } from './post-json';
import type { SendEnd } from './send-end';
import { sendMail } from './send-mail';
import { webhookMessage } from './webhook-message';
import { createHmac } from 'node:crypto';

export interface WebhookDeps {
  store: Store;
  webhooks: Settings['webhooks'];
  mail: Settings['mail'];
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
  deps: WebhookDeps,
  { deliveryId }: { deliveryId: string },
  { signal }: Pick<ActivityCall, 'signal'>,
): Promise<WebhookDelivery['status'] | null> {
  const { store, webhooks, warn } = deps;
  const before = await store.webhooks.get(deliveryId);
  const report = before === null ? null : await reportOf(deps, before);
  if (before === null || report === null) return null;
  if (before.status !== 'pending') return before.status;
  const what = before.recipient === null ? 'webhook' : 'mail';
  const attempt = await store.webhooks.beginAttempt(deliveryId);
  const end = async (status: WebhookDelivery['status'], warning: string | null) => {
    await store.webhooks.endAttempt(deliveryId, { status, warning });
    if (warning !== null) warn({ deliveryId, attempt, status }, `${what} not delivered: ${warning}`);
    return status;
  };
  // An attempt whose worker was killed counts too.
  if (attempt > webhooks.attempts) return await end('failed', before.warning ?? 'its worker ended during the attempt');
  const sent = await report(signal);
  if (sent.kind === 'taken') return await end('delivered', null);
  if (sent.kind === 'refused' || attempt >= webhooks.attempts) return await end('failed', sent.reason);
  await end('pending', sent.reason);
  throw new EngineError('SP002', sent.reason, { isTemporary: true });
}

/** How one attempt at a delivery is made; null where what it is about is gone. */
async function reportOf(
  deps: WebhookDeps,
  delivery: WebhookDeliveryRow,
): Promise<((signal: AbortSignal) => Promise<SendEnd>) | null> {
  const { store, mail } = deps;
  const { deliveryId, batchId, sessionId, recipient, happenedAt } = delivery;
  const send = async (message: Promise<MailText>, signal: AbortSignal) =>
    await sendMail(mail, { id: deliveryId, to: recipient!, at: happenedAt, ...(await message) }, signal);
  if (batchId !== null) {
    const batch = await store.batches.get(batchId);
    return batch && ((signal) => send(batchMail(deps, batch), signal));
  }
  const row = await store.sessions.get(sessionId!);
  if (row === null) return null;
  return (signal) =>
    recipient === null ? postReport(deps, { row, delivery, signal }) : send(sessionMail(deps, row, happenedAt), signal);
}

async function postReport(
  { store, webhooks, pageUrl, engine }: WebhookDeps,
  { row, delivery, signal }: { row: SessionRow; delivery: WebhookDeliveryRow; signal: AbortSignal },
): Promise<SendEnd> {
  const { webhook } = row.plan.config;
  if (webhook === undefined) return { kind: 'refused', reason: 'the session names no webhook' };
  const message = await webhookMessage(store, row, delivery, pageUrl());
  const body = JSON.stringify(inFormat(webhook.format ?? 'surefoot', message));
  const headers = signatureHeaders(webhooks.secrets, {
    id: delivery.deliveryId,
    seconds: Math.floor(Date.now() / 1000),
    body,
  });
  return await postJson({ url: webhook.url, headers, body, origins: webhooks.origins, engine, signal });
}

async function sessionMail({ store, pageUrl }: WebhookDeps, row: SessionRow, failedAt: Date): Promise<MailText> {
  const steps = await store.memory.stepResults(row.sessionId);
  const completedSteps = steps.filter(({ status }) => status === StepStatus.COMPLETED).length;
  return failureMail(row, { completedSteps, failedAt, pageUrl: pageUrl() });
}

async function batchMail({ store, pageUrl }: WebhookDeps, batch: BatchRecord): Promise<MailText> {
  const failed = await Promise.all(
    FAILED_ROW_STATES.map((state) => store.batches.rows.list(batch.id, { state, limit: MAX_ROWS })),
  );
  return batchFailureMail(batch, { failed: failed.flat(), pageUrl: pageUrl() });
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
