export { session } from './session';
export { deliverSessionEnd } from './webhooks/deliver-session-end';
