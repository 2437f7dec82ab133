import type { BatchState } from '../../contracts/batches/batch';
import type { Transaction } from '../database/connect';

/** A batch, as its workflow takes rows of it. */
export interface TakingBatch {
  batchId: string;
  tenant: string;
  state: BatchState;
  concurrency: number;
  originConcurrency: number | null;
}

interface WaitingRow {
  row: number;
  variables: Record<string, string>;
  attempt: number;
  origin: string;
}

/** Chooses rows that may be started now, in their order: as many as the batch has room for, and each origin. */
export async function chooseRows(tx: Transaction, batch: TakingBatch, limit: number): Promise<WaitingRow[]> {
  const { batchId, originConcurrency } = batch;
  const [{ running } = { running: 0 }] = await tx<{ running: number }[]>`
    select count(*) as running from batch_rows where batch_id = ${batchId} and state = 'running'`;
  const room = Math.max(0, Math.min(limit, batch.concurrency - running));
  const waiting = async (count: number, after = 0, full: readonly string[] = []) =>
    await tx<WaitingRow[]>`
      select row, variables, attempt, coalesce(origin, '') as origin from batch_rows
      where batch_id = ${batchId} and state = 'waiting' and row > ${after}
        and coalesce(origin, '') <> all(${full as string[]})
      order by row limit ${count}`;
  if (originConcurrency === null) return await waiting(room);
  const open = await openAtOrigins(tx, batch.tenant);
  const fullOrigins = () => [...open].flatMap(([origin, count]) => (count >= originConcurrency ? [origin] : []));
  const chosen: WaitingRow[] = [];
  let isHeld = false;
  for (let after = 0; chosen.length < room && !isHeld;) {
    const found = await waiting(room - chosen.length, after, fullOrigins());
    for (const row of found) {
      const count = open.get(row.origin) ?? 0;
      if (count >= originConcurrency) continue;
      open.set(row.origin, count + 1);
      chosen.push(row);
    }
    after = found.at(-1)?.row ?? after;
    isHeld = found.length === 0;
  }
  await tx`update batches set held_origins = ${isHeld ? fullOrigins() : []} where batch_id = ${batchId}`;
  return chosen;
}

/** How many rows of the tenant are open at each origin. Batches of one tenant count one after the other, as each adds to it. */
async function openAtOrigins(tx: Transaction, tenant: string): Promise<Map<string, number>> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`rows at origins: ${tenant}`}, 0))`;
  const rows = await tx<{ origin: string; open: number }[]>`
    select coalesce(origin, '') as origin, count(*) as open from batch_rows join batches using (batch_id)
    where tenant = ${tenant} and batch_rows.state = 'running' group by 1`;
  return new Map(rows.map(({ origin, open }) => [origin, open]));
}
