import type { WebhookDelivery } from '../../contracts/sessions/webhook';
import type { Sql } from '../database/connect';

/** What became of the webhook of each session. */
export interface WebhookDeliveries {
  /** Null before the first attempt. */
  get(sessionId: string): Promise<WebhookDelivery | null>;
  /** Counts an attempt before it is made, so that one whose worker is killed counts too; resolves to its number. */
  beginAttempt(sessionId: string): Promise<number>;
  endAttempt(sessionId: string, end: Pick<WebhookDelivery, 'status' | 'warning'>): Promise<void>;
}

export function createWebhookDeliveries(sql: Sql): WebhookDeliveries {
  return {
    async get(sessionId) {
      const [row] = await sql<WebhookDelivery[]>`
        select status, attempts, warning from webhook_deliveries where session_id = ${sessionId}`;
      return row ?? null;
    },
    async beginAttempt(sessionId) {
      const [row] = await sql<{ attempts: number }[]>`
        insert into webhook_deliveries (session_id) values (${sessionId})
        on conflict (session_id) do update set attempts = webhook_deliveries.attempts + 1, at = clock_timestamp()
        returning attempts`;
      return row!.attempts;
    },
    async endAttempt(sessionId, { status, warning }) {
      await sql`
        update webhook_deliveries set status = ${status}, warning = ${warning}, at = clock_timestamp()
        where session_id = ${sessionId} and status = 'pending'`;
    },
  };
}
