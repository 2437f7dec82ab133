import type { StreamEvent } from '../../../contracts/events/stream-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { HarnessClient } from '../../harness';
import { ordersOf } from '../verify/orders';
import { retryUntil } from '../retry-until';

const ANSWERED_WITHIN_MS = 60_000;

/** The command that this event asks a person about: nobody else can tell whether it happened. */
export function unknownCommand({ type, data }: StreamEvent): string | undefined {
  if (type !== StreamEventType.WORKFLOW_PAUSED || data.details?.['pausedFor'] !== 'unknown-outcome') return undefined;
  return (data.details['unknown'] as { commandId?: string } | undefined)?.commandId;
}

/** Leaves something in the cart and nothing in the book: said to have happened, at worst a step fails. */
const UNSEEN = 'Add to cart';

/**
 * Answers as a person who can look into the shop's book would; what may be done twice without harm, such as signing in,
 * the person has done again.
 */
export async function answerUnknownOutcome(
  { api, shop, store }: HarnessClient,
  { sessionId, run }: { sessionId: string; run: string },
  commandId: string,
): Promise<boolean> {
  return await retryUntil(`a person answers for ${commandId}`, ANSWERED_WITHIN_MS, async () => {
    const [entry] = await store.journal.find(sessionId, [commandId]);
    const name = entry?.target?.['name'];
    const happened = name === 'Place order' ? (await ordersOf(shop, run)).length > 0 : name === UNSEEN;
    const response = await fetch(`${api}/v1/sessions/${sessionId}/resolve-unknown`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ commandId, happened }),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.ok || response.status === 409) return happened;
    throw new Error(`The API answered ${response.status}: ${await response.text()}`);
  });
}
