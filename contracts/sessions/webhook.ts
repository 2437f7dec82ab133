import { z } from 'zod';
import { networkPolicy, PUBLIC_NETWORK, type NetworkPolicy } from '../browsers/network-policy';
import type { StandardError } from '../errors/standard-error';
import type { SessionOutcome } from './outcome';

/** The workflow that delivers the end of one session. */
export const WEBHOOK_WORKFLOW = 'deliverSessionEnd';

/** One for each session, so that it is started once, whoever ends the session. */
export function webhookWorkflowId(sessionId: string): string {
  return `webhook-${sessionId}`;
}

function isPlainHttp(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** What webhooks may reach: public addresses, and these origins of the operator's. */
export function webhookNetwork(origins: readonly string[]): NetworkPolicy {
  return networkPolicy(PUBLIC_NETWORK, { allowedOrigins: [], privateOrigins: origins, mayGivePrivate: false });
}

/** Where the end of a session is reported. */
export const WebhookSchema = z.strictObject({
  url: z.string().max(2000).refine(isPlainHttp, {
    error: 'expected an http or https address without a user name and a password, such as https://example.com/hooks',
  }),
});
export type Webhook = z.infer<typeof WebhookSchema>;

/** What has become of the delivery so far; a failed one changes nothing about its session. */
export const WebhookDeliverySchema = z.object({
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  warning: z
    .union([z.string(), z.null()])
    .meta({ description: 'Why the newest attempt has failed; null where none has' }),
});
export type WebhookDelivery = z.infer<typeof WebhookDeliverySchema>;

/** The body of the request: the same in every attempt. */
export interface WebhookMessage {
  type: 'session.completed' | 'session.failed' | 'session.cancelled';
  /** When the session ended, ISO-8601. */
  timestamp: string;
  data: SessionOutcome & { error?: StandardError };
}
