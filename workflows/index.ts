export { batch } from './batches/batch';
export { session } from './session';
export { deliverToWebhook } from './webhooks/deliver-to-webhook';
