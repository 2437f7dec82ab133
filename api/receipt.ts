import type { OrderReceipt } from '../client/port';
import type { ApiContext } from './context';
import { answer } from './envelope';
import { REPLAYED } from './error-response';

/** Answers an order: 202, and the place that shows what became of it. */
export function answerReceipt(c: ApiContext, { sessionId, isReplayed, ...receipt }: OrderReceipt) {
  c.header('Location', `/v1/sessions/${sessionId}/orders/${receipt.orderId}`);
  if (isReplayed) markReplayed(c);
  return answer(c, receipt, 202);
}

/** Marks the answer to a request that was sent before. */
export function markReplayed(c: ApiContext): void {
  for (const [name, value] of Object.entries(REPLAYED)) c.header(name, value);
}

/** The Idempotency-Key of a request. */
export function keyOf(c: ApiContext): { idempotencyKey: string | undefined } {
  return { idempotencyKey: c.req.header('idempotency-key') };
}
