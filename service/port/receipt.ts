import type { Accepted } from '../../contracts/messages/accepted';

export interface IdempotencyOptions {
  /** The same key to the same session is the same request. */
  idempotencyKey?: string | undefined;
}

/** What a message was answered with; while it is `pending`, what is known of the session. */
export interface MessageReceipt extends Accepted {
  sessionId: string;
  messageId: string;
  messageState: 'pending' | 'applied';
  /** Of a pending message: why, and what to do. */
  reason?: string;
  /** The message was known: nothing was sent for this request. */
  isReplayed: boolean;
}
