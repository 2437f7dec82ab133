import type { WebhookDelivery } from '../../contracts/sessions/webhook';

/** The activity of the workflow that makes a delivery to a webhook. */
export interface WebhookActivities {
  /** Makes one attempt; fails when another one is to be made. Resolves to null where the session is gone. */
  deliverWebhook(input: { deliveryId: string }): Promise<WebhookDelivery['status'] | null>;
}
