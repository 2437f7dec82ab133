import type { TransactionSql } from 'postgres';
import type { ResolvedUnknown } from '../../contracts/events/outbox';

/** Stores how an unknown outcome was resolved. The first one counts, but a person and the site may overrule the model. */
export async function resolveUnknown(
  tx: TransactionSql<{ bigint: number }>,
  sessionId: string,
  { commandId, ...resolution }: ResolvedUnknown,
): Promise<void> {
  await tx`
    update commands set resolution = ${tx.json(resolution as never)}
    where session_id = ${sessionId} and command_id = ${commandId} and status = 'unknown'
      and (resolution is null or (resolution->>'by' = 'model' and ${resolution.by} <> 'model'))`;
}
