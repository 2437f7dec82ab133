import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/signatures/webhook-activities';
import type { WebhookDelivery } from '../../contracts/sessions/webhook';
import { ENGINE_QUEUE } from '../../contracts/queues';
import { ENGINE_HEARTBEAT_MS } from '../../contracts/sessions/activity-limits';

/**
 * Makes one delivery to a webhook, or by mail. The activity bounds the attempts that reach for the receiver
 * (SUREFOOT_WEBHOOK_ATTEMPTS); what else fails, such as the database, is waited for up to the limit here.
 */
export async function deliverToWebhook(input: { deliveryId: string }): Promise<WebhookDelivery['status'] | null> {
  const { deliverWebhook } = proxyActivities<WebhookActivities>({
    taskQueue: ENGINE_QUEUE,
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '3 days',
    heartbeatTimeout: ENGINE_HEARTBEAT_MS,
    retry: { initialInterval: '2 seconds', backoffCoefficient: 3, maximumInterval: '1 hour' },
    summary: 'report to the webhook or by mail',
  });
  return await deliverWebhook(input);
}
