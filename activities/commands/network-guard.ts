import type { BlockedOrigin } from '../../contracts/browsers/keeper';
import { allowsUrl, notAllowed, type NetworkPolicy } from '../../contracts/browsers/origins';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { NewRecord } from '../../contracts/events/log';
import { EngineError } from '../failures';
import { guardOf, type BatchContext } from './batch-context';
import { guardRecord, type CommandPlace } from './outcomes/command-records';
import type { KeeperClient } from '../browsers/keeper-client';

/** The first of these addresses that the session may not reach. */
export function blockedAddress(network: NetworkPolicy | undefined, sought: readonly string[]): string | undefined {
  return network && sought.find((one) => !allowsUrl(network, one));
}

/** The first of the pages in the keeper's evidence that the session may not reach. */
export function blockedPage(
  network: NetworkPolicy | undefined,
  requests: readonly { resourceType: string; url: string }[],
): string | undefined {
  const pages = requests.filter(({ resourceType }) => resourceType === 'Document');
  return blockedAddress(
    network,
    pages.map(({ url }) => url),
  );
}

/** The error of a command that was to go to an origin that the session may not reach. */
export function navigationRefusal(url: string): EngineError {
  return new EngineError('EX004', notAllowed(url), {
    details: BLOCKED,
    suggestedAction:
      'Stay on the allowed origins. Should this one be needed, name it in allowedOrigins of a new session.',
  });
}

const BLOCKED = { guard: 'allowed-origins' } as const;

/** The record of a command that was done and led to such an origin. */
export function blockedNavigationRecord(
  context: CommandPlace,
  { commandId, action }: PlannedCommand,
  url: string,
): NewRecord {
  const message = `${action} was done, and it led to a page that was blocked: ${notAllowed(url)}`;
  return guardRecord(context, `${commandId}/guard`, BLOCKED, message);
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
