import type { MailDelivery } from '../../contracts/sessions/failure-report';
import type { QuestionEnding, WebhookDelivery, WebhookQuestion } from '../../contracts/sessions/webhook';
import type { Sql } from '../database/connect';

export interface WebhookDeliveryRow extends WebhookDelivery {
  deliveryId: string;
  /** What it is about; the other is null. */
  sessionId: string | null;
  batchId: string | null;
  /** The address that gets a mail; null for the webhook. */
  recipient: string | null;
  /** Null for the end of the session. */
  question: WebhookQuestion | null;
  /** Null where the question was asked. */
  ending: QuestionEnding | null;
  /** The delivery of the question that this is the end of. */
  closes: string | null;
  happenedAt: Date;
}

/** Reports of sessions and batches to webhooks and by mail, entered by the database itself (triggers.sql). */
export interface WebhookDeliveries {
  /** Those whose workflow is to be started, oldest first. The end of a question waits until the question is settled. */
  toStart(limit: number): Promise<string[]>;
  noteStart(deliveryId: string): Promise<void>;
  get(deliveryId: string): Promise<WebhookDeliveryRow | null>;
  ofSession(sessionId: string): Promise<string[]>;
  /** The end of a session, or else its newest question; null where there is none yet. */
  newest(sessionId: string): Promise<WebhookDelivery | null>;
  /** Of a session that has failed. */
  mails(sessionId: string): Promise<MailDelivery[]>;
  /** Counts an attempt before it is made, so that one whose worker is killed counts too; resolves to its number. */
  beginAttempt(deliveryId: string): Promise<number>;
  endAttempt(deliveryId: string, end: Pick<WebhookDelivery, 'status' | 'warning'>): Promise<void>;
}

export function createWebhookDeliveries(sql: Sql): WebhookDeliveries {
  return {
    async toStart(limit) {
      const rows = await sql<{ deliveryId: string }[]>`
        select delivery_id from webhook_deliveries d
        where not is_started and not exists (
          select from webhook_deliveries asked where asked.delivery_id = d.closes and asked.status = 'pending')
        order by happened_at limit ${limit}`;
      return rows.map(({ deliveryId }) => deliveryId);
    },
    async noteStart(deliveryId) {
      await sql`update webhook_deliveries set is_started = true where delivery_id = ${deliveryId}`;
    },
    async get(deliveryId) {
      const [row] = await sql<WebhookDeliveryRow[]>`
        select delivery_id, session_id, batch_id, recipient, question, ending, closes, happened_at, status, attempts, warning
        from webhook_deliveries where delivery_id = ${deliveryId}`;
      return row ?? null;
    },
    async ofSession(sessionId) {
      const rows = await sql<{ deliveryId: string }[]>`
        select delivery_id from webhook_deliveries where session_id = ${sessionId}`;
      return rows.map(({ deliveryId }) => deliveryId);
    },
    async newest(sessionId) {
      const [row] = await sql<WebhookDelivery[]>`
        select status, attempts, warning from webhook_deliveries
        where session_id = ${sessionId} and recipient is null
        order by question is null desc, happened_at desc limit 1`;
      return row ?? null;
    },
    async mails(sessionId) {
      return await sql<MailDelivery[]>`
        select recipient as "to", status, attempts, warning from webhook_deliveries
        where session_id = ${sessionId} and recipient is not null order by delivery_id`;
    },
    async beginAttempt(deliveryId) {
      const [row] = await sql<{ attempts: number }[]>`
        update webhook_deliveries set attempts = attempts + 1, at = clock_timestamp()
        where delivery_id = ${deliveryId} returning attempts`;
      return row?.attempts ?? 0;
    },
    async endAttempt(deliveryId, { status, warning }) {
      await sql`
        update webhook_deliveries set status = ${status}, warning = ${warning}, at = clock_timestamp()
        where delivery_id = ${deliveryId} and status = 'pending'`;
    },
  };
}
