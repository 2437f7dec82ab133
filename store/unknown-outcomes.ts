import type { TransactionSql } from 'postgres';
import type { ResolvedUnknown } from '../contracts/bookkeeping';
import type { WaitingFor } from '../contracts/waiting-for';

/** What a session asks a person; written with the records that tell of it, in their transaction. */
export async function setWaitingFor(
  tx: TransactionSql<{ bigint: number }>,
  sessionId: string,
  waitingFor: WaitingFor | null,
): Promise<void> {
  const value = waitingFor === null ? null : tx.json(waitingFor as never);
  await tx`update sessions set waiting_for = ${value} where session_id = ${sessionId}`;
}

/** The first word stands, except that a person may overrule the model. */
export async function resolveUnknown(
  tx: TransactionSql<{ bigint: number }>,
  sessionId: string,
  { commandId, ...resolution }: ResolvedUnknown,
): Promise<void> {
  await tx`
    update commands set resolution = ${tx.json(resolution as never)}
    where session_id = ${sessionId} and command_id = ${commandId} and status = 'unknown'
      and (resolution is null or (resolution->>'by' = 'model' and ${resolution.by} = 'person'))`;
}
