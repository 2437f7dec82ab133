import { requestsIn } from '../../../contracts/commands/evidence';
import type { StreamEvent } from '../../../contracts/events/stream-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { ApiError } from '../../../client/http/api-error';
import { restClient, type HarnessClient } from '../../harness/harness';
import { ordersOf } from '../verify/orders';
import { retryUntil } from '../retry-until';
import { pressesOf, type Scenario } from '../scenarios/scenario';
import type { Store } from '../../../store/store';

const ANSWERED_WITHIN_MS = 60_000;

/** Returns the command of unknown outcome that this event asks a person about. */
export function unknownCommand({ type, data }: StreamEvent): string | undefined {
  if (type !== StreamEventType.WORKFLOW_PAUSED || data.details?.['pausedFor'] !== 'unknown-outcome') return undefined;
  return (data.details['unknown'] as { commandId?: string } | undefined)?.commandId;
}

/** The order book does not show whether this press happened; when the answer "yes" is wrong, at worst a step fails. */
const UNSEEN = 'Add to cart';

/**
 * Answers like a person who can read the shop's order book; what may be repeated without harm, such as signing in, is
 * answered with "no".
 */
export async function answerUnknownOutcome(
  { api, shop, store }: HarnessClient,
  { sessionId, run, scenario }: { sessionId: string; run: string; scenario?: Scenario | undefined },
  commandId: string,
): Promise<boolean> {
  return await retryUntil(`a person answers for ${commandId}`, ANSWERED_WITHIN_MS, async () => {
    const happened =
      scenario === undefined
        ? await hasHappened(store, shop, { sessionId, run, commandId })
        : (await pressesOf(shop, run)) > 0;
    await restClient(api)
      .resolveUnknown(sessionId, { commandId, happened })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
      });
    return happened;
  });
}

/** Whether this command of a demo session happened, as far as the order book shows it. */
async function hasHappened(
  store: Store,
  shop: string,
  { sessionId, run, commandId }: { sessionId: string; run: string; commandId: string },
): Promise<boolean> {
  const [entry] = await store.journal.find(sessionId, [commandId]);
  const name = entry?.target?.['name'];
  if (name === 'Place order') return (await ordersOf(shop, run)).length > 0;
  // Of one that the database had forgotten a person reads what was sent since.
  const sent = entry?.evidence?.kind === 'forgotten' ? requestsIn(entry.evidence).length : 0;
  return name === UNSEEN || sent > 0;
}
