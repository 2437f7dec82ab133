import type { BlockedOrigin } from '../../contracts/browsers/keeper';
import { allowsUrl, notAllowed, type NetworkPolicy } from '../../contracts/browsers/origins';
import { EngineError } from '../failures';
import { guardOf, type BatchContext } from './batch-context';
import { guardRecord } from './outcomes/command-records';
import type { KeeperClient } from '../browsers/keeper-client';

/**
 * The error of a command that leads, or has led, to an origin that the session may not reach; undefined otherwise.
 */
export function blockedNavigation(
  network: NetworkPolicy | undefined,
  sought: readonly string[],
): EngineError | undefined {
  const url = network && sought.find((one) => !allowsUrl(network, one));
  if (url === undefined) return undefined;
  return new EngineError('EX004', notAllowed(url), {
    details: { guard: 'allowed-origins' },
    suggestedAction:
      'Stay on the allowed origins. Should this one be needed, name it in allowedOrigins of a new session.',
  });
}

/** Logs the origins that the session's Chrome was refused, each once a session. */
export async function publishBlockedOrigins(context: BatchContext, keeper: KeeperClient): Promise<void> {
  const { store, attachment, values, sessionId } = context;
  // This worker publishes each once; the log drops duplicates of other workers.
  const fresh = (await keeper.blockedOrigins(sessionId)).slice(attachment.publishedBlockedOrigins);
  if (fresh.length === 0) return;
  const records = fresh.map(({ origin, guard }) =>
    guardRecord(
      context,
      `guard/${guard}/${origin}`,
      { guard, origin: values.redact(origin) },
      MESSAGES[guard](values.redact(origin)),
    ),
  );
  await store.log.append(sessionId, records, { guard: guardOf(context) });
  attachment.publishedBlockedOrigins += fresh.length;
}

const MESSAGES: Record<BlockedOrigin['guard'], (origin: string) => string> = {
  'allowed-origins': (origin) => `A page asked for ${notAllowed(origin)}`,
  'private-address': (origin) =>
    `A page asked for ${origin}, which leads to an address of a private network; nothing was sent there. Set allowPrivateAddresses where that is meant.`,
};
