import type { MessageReceipt } from '../../service/port/receipt';
import type { ApiContext } from './context';
import { respond } from './envelope';
import { REPLAYED } from './error-response';

/** Answers a message: 202, and the place that shows what became of it. */
export function answerReceipt(c: ApiContext, { sessionId, isReplayed, ...receipt }: MessageReceipt) {
  c.header('Location', `/v1/sessions/${sessionId}/messages/${receipt.messageId}`);
  if (isReplayed) markReplayed(c);
  return respond(c, receipt, 202);
}

/** Marks the answer to a request that was sent before. */
export function markReplayed(c: ApiContext): void {
  for (const [name, value] of Object.entries(REPLAYED)) c.header(name, value);
}

/** The Idempotency-Key of a request. */
export function idempotencyKeyOf(c: ApiContext): { idempotencyKey: string | undefined } {
  return { idempotencyKey: c.req.header('idempotency-key') };
}
