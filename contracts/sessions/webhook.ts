import { z } from 'zod';
import type { WaitingFor } from '../approvals/waiting-for';
import { networkPolicy, PUBLIC_NETWORK, type NetworkPolicy } from '../browsers/network-policy';
import type { StandardError } from '../errors/standard-error';
import type { SessionOutcome } from './outcome';

/** The workflow that makes one delivery to a webhook. */
export const WEBHOOK_WORKFLOW = 'deliverToWebhook';

/** One for each delivery, so that it is started once, whichever worker starts it. */
export function webhookWorkflowId(deliveryId: string): string {
  return `webhook-${deliveryId}`;
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

/** What a receiver gets: our own message, or what incoming webhooks of Slack and workflows of Teams take. */
export const WebhookFormatSchema = z.enum(['surefoot', 'slack', 'teams']);
export type WebhookFormat = z.infer<typeof WebhookFormatSchema>;

/** Where it is reported that a person is needed, that nobody is any more, and that the session has ended. */
export const WebhookSchema = z.strictObject({
  url: z.string().max(2000).refine(isPlainHttp, {
    error: 'expected an http or https address without a user name and a password, such as https://example.com/hooks',
  }),
  format: WebhookFormatSchema.optional().meta({ description: '`surefoot` where it is left out' }),
});
export type Webhook = z.infer<typeof WebhookSchema>;

/** What has become of a delivery so far; a failed one changes nothing about its session. */
export const WebhookDeliverySchema = z.object({
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  warning: z
    .union([z.string(), z.null()])
    .meta({ description: 'Why the newest attempt has failed; null where none has' }),
});
export type WebhookDelivery = z.infer<typeof WebhookDeliverySchema>;

/** What a person is asked, as it was entered when it was. */
export type WebhookQuestion =
  | WaitingFor
  | {
      pausedFor: 'approval';
      approvalId: string;
      toolName: string;
      title: string;
      stepIndex: number;
      /** ISO-8601. */
      expiresAt?: string;
    }
  | { pausedFor: 'recipe'; recipeId: string; version: number; instruction: string };

/** How a question has ended: what became of an approval or a recipe; `answered`, or `cancelled` with its session. */
export interface QuestionEnding {
  how: 'approved' | 'rejected' | 'expired' | 'cancelled' | 'answered' | 'promoted' | 'retired' | 'forgotten';
  by?: string;
  reason?: string;
}

/** Of a question: what it is about, in a sentence, and how and where it is answered. */
interface AskedQuestion {
  /** The same when it is asked and when it has ended. */
  questionId: string;
  pausedFor: WebhookQuestion['pausedFor'];
  message: string;
  answerWith: { cli: string; rest: string };
  approvalId?: string;
  toolName?: string;
  expiresAt?: string;
}

/** The body of the request: the same in every attempt. */
export type WebhookMessage = {
  /** When it happened, ISO-8601. */
  timestamp: string;
} & (
  | {
      type: 'session.completed' | 'session.failed' | 'session.cancelled';
      data: WebhookSubject & SessionOutcome & { error?: StandardError };
    }
  | { type: 'question.asked'; data: WebhookSubject & { question: AskedQuestion } }
  | { type: 'question.ended'; data: WebhookSubject & { question: AskedQuestion; ending: QuestionEnding } }
);

interface WebhookSubject {
  sessionId: string;
  /** The name of the session, or else its first step. */
  title: string;
  /** Its place on the web page; absent where the workers know no address of it (SUREFOOT_PAGE_URL). */
  page?: string;
}
