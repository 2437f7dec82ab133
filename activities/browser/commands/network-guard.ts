import { isDeepStrictEqual } from 'node:util';
import type { Response } from 'playwright';
import { GUARD_HEADER, type BlockedOrigin } from '../../../contracts/browsers/keeper';
import {
  NetworkGuardSchema,
  PUBLIC_NETWORK,
  type NetworkGuard,
  type NetworkPolicy,
  type SessionNetwork,
} from '../../../contracts/browsers/network-policy';
import { webOriginOf } from '../../../contracts/browsers/origins';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { NewRecord } from '../../../contracts/events/log';
import { guardOfUrl } from '../../../runtime/egress/judge-endpoint';
import type { Attachment } from '../attach/attachment';
import type { KeeperClient } from '../attach/keeper-client';
import { EngineError } from '../../activity/failures';
import { guardOf, type BatchContext } from './batch-context';
import { guardRecord, type CommandPlace } from '../../recorded/command-records';

/** Has the keeper allow what the session may reach by now; steps that were added later may have named more. */
export async function allowNetwork(
  sessionId: string,
  attachment: Attachment,
  network: SessionNetwork = PUBLIC_NETWORK,
  keeper: () => Promise<KeeperClient>,
): Promise<NetworkPolicy> {
  const { access, epoch } = attachment;
  if (!isDeepStrictEqual(access.network, network)) {
    attachment.access = { network, policy: await (await keeper()).setNetwork(sessionId, epoch, network) };
  }
  return attachment.access.policy;
}

/** The first of these addresses that the session may not reach. */
export function blockedAddress(network: NetworkPolicy, sought: readonly string[]): string | undefined {
  return sought.find((one) => guardOfUrl(network, one) !== undefined);
}

/** The first of the pages in the keeper's evidence that the session may not reach. */
export function blockedPage(
  network: NetworkPolicy,
  requests: readonly { resourceType: string; url: string }[],
): string | undefined {
  const pages = requests.filter(({ resourceType }) => resourceType === 'Document');
  return blockedAddress(
    network,
    pages.map(({ url }) => url),
  );
}

/** The error of a command that was to go to an origin that the session may not reach. */
export function navigationRefusal(network: NetworkPolicy, url: string): EngineError {
  return refusal(guardOfUrl(network, url) ?? 'allowed-origins', url);
}

/** The same for a page whose name led to an address that the keeper's proxy refused. */
export function refusedByProxy(response: Response): EngineError | undefined {
  const guard = NetworkGuardSchema.safeParse(response.headers()[GUARD_HEADER]);
  return guard.success ? refusal(guard.data, response.url()) : undefined;
}

function refusal(guard: NetworkGuard, url: string): EngineError {
  return new EngineError('SM002', refusalText(guard, url), {
    details: { guard },
    suggestedAction: REFUSALS[guard].action,
  });
}

/** The record of a command that was done and led to such an origin. */
export function blockedNavigationRecord(
  context: CommandPlace & Pick<BatchContext, 'network'>,
  { commandId, action }: PlannedCommand,
  url: string,
): NewRecord {
  const guard = guardOfUrl(context.network, url) ?? 'allowed-origins';
  const message = `${action} was done, and it led to a page that was blocked: ${refusalText(guard, url)}`;
  return guardRecord(context, `${commandId}/guard`, { guard }, message);
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
      blockedText({ origin: values.redact(origin), guard }),
    ),
  );
  await store.log.append(sessionId, records, { guard: guardOf(context) });
  attachment.publishedBlockedOrigins += fresh.length;
}

function refusalText(guard: NetworkGuard, url: string): string {
  return `${webOriginOf(url) ?? url} ${REFUSALS[guard].reason}, so nothing was sent there.`;
}

function blockedText({ origin, guard }: Pick<BlockedOrigin, 'origin' | 'guard'>): string {
  const { reason, action } = REFUSALS[guard];
  return `A page asked for ${origin}, which ${reason}; nothing was sent there. ${action}`;
}

const REFUSALS: Record<NetworkGuard, { reason: string; action: string }> = {
  'allowed-origins': {
    reason: 'is not among the allowedOrigins of this session',
    action: 'Stay on the allowed origins. Should this one be needed, name it in allowedOrigins of a new session.',
  },
  'private-address': {
    reason: 'is on this machine or in a private network',
    action:
      'Where that is meant, write the address in a step, or name the origin in allowedOrigins (with allowPrivateAddresses for a name); the operator may have to allow it in SUREFOOT_PRIVATE_ORIGINS.',
  },
  'reserved-address': {
    reason: 'belongs to the engine or to the machine below it, which no session reaches',
    action: 'Do without it.',
  },
};
