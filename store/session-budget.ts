import type { TransactionSql } from 'postgres';
import type { Budget } from '../contracts/budget';

/** What a session may use from now on; written with the records that tell of it, in their transaction. */
export async function setBudget(
  tx: TransactionSql<{ bigint: number }>,
  sessionId: string,
  budget: Budget,
): Promise<void> {
  await tx`update sessions set budget = ${tx.json(budget as never)} where session_id = ${sessionId}`;
}
