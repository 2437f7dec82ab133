import type { WebhookDelivery } from '../../contracts/sessions/webhook';

/** The activity of the workflow that reports the end of a session. */
export interface WebhookActivities {
  /** Makes one attempt; fails when another one is to be made. Resolves to null where the session is gone. */
  deliverWebhook(input: { sessionId: string }): Promise<WebhookDelivery['status'] | null>;
}
