import type { Batch, BatchState, RowCounts } from '../../contracts/batches/batch';
import type { FailureReport, MailDelivery } from '../../contracts/sessions/failure-report';
import { RowStateSchema, RETRIED_ROW_STATES } from '../../contracts/batches/batch';
import type { ParsedRow } from '../../contracts/batches/rows-input';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { Sql, Transaction } from '../database/connect';
import { createBatchPages, type BatchPages } from './rows-to-start';
import { createBatchRows, type BatchRows } from './batch-rows';

export interface NewBatch {
  batchId: string;
  tenant: string;
  request: StartRequest;
  requestHash: string;
  columns: readonly string[];
  rows: readonly ParsedRow[];
  concurrency: number;
  originConcurrency?: number | undefined;
  isPaused: boolean;
  report?: FailureReport | undefined;
}

export interface BatchRecord extends Batch {
  request: StartRequest;
  requestHash: string;
  columns: string[];
}

/** A person's change of a batch; `refused`: it is in a state in which that is not possible. */
export type BatchChange = { kind: 'changed' } | { kind: 'refused'; state: BatchState } | { kind: 'unknown' };

/** Lists of rows, each a session. A change that the workflow of a batch is to notice raises its revision. */
export interface Batches {
  /** Enters it with all its rows, unless there is one of this id; resolves to whether it was entered. */
  create(batch: NewBatch): Promise<boolean>;
  /** Null also where its rows were removed. */
  get(batchId: string): Promise<BatchRecord | null>;
  /** Whether the id is taken, also by one whose rows were removed. */
  has(batchId: string): Promise<boolean>;
  /** Newest first; of one tenant, or of all. */
  list(limit: number, tenant?: string): Promise<Batch[]>;
  /** `note`: why, where nobody has asked for it. */
  pause(batchId: string, note?: string): Promise<BatchChange>;
  resume(batchId: string): Promise<BatchChange>;
  /** Ends every row that waits; the workflow cancels the sessions of the others. */
  cancel(batchId: string): Promise<BatchChange>;
  /** Has rows that have failed or were cancelled wait again; resolves to how many. */
  retry(batchId: string): Promise<BatchChange & { retried: number }>;
  /**
   * Takes those whose workflow has something to notice, so that no other worker signals it within the next seconds. `isAsked`:
   * a person has changed it, or it has not begun yet.
   */
  takeChanged(limit: number): Promise<{ batchId: string; isAsked: boolean }[]>;
  /** Removes the rows of batches that ended so long ago; at most so many. Their ids stay taken, as those of their sessions. */
  expire(keep: { sessionDays: number; tombstoneDays: number }): Promise<number>;
  rows: BatchRows;
  pages: BatchPages;
}

const ROWS_AT_ONCE = 5000;
const SIGNAL_AGAIN_AFTER = '10 seconds';
const EXPIRED_AT_ONCE = 10;

export function createBatches(sql: Sql): Batches {
  const change = (batchId: string, from: readonly BatchState[], work: (tx: Transaction) => Promise<unknown>) =>
    sql.begin(async (tx): Promise<BatchChange> => {
      const [found] = await tx<{ state: BatchState }[]>`
        select state from batches where batch_id = ${batchId} and expired_at is null for update`;
      if (found === undefined) return { kind: 'unknown' };
      if (!from.includes(found.state)) return { kind: 'refused', state: found.state };
      await work(tx);
      return { kind: 'changed' };
    });
  return {
    rows: createBatchRows(sql),
    pages: createBatchPages(sql),
    create: ({
      batchId,
      tenant,
      request,
      requestHash,
      columns,
      rows,
      concurrency,
      originConcurrency,
      isPaused,
      report,
    }) =>
      sql.begin(async (tx) => {
        const { count } = await tx`
          insert into batches (batch_id, tenant, request, request_hash, columns, concurrency, origin_concurrency, report,
            state)
          values (${batchId}, ${tenant}, ${tx.json(request as never)}, ${requestHash}, ${tx.json(columns as never)},
            ${concurrency}, ${originConcurrency ?? null}, ${report === undefined ? null : tx.json(report)},
            ${isPaused ? 'paused' : 'running'})
          on conflict do nothing`;
        for (let first = 0; count > 0 && first < rows.length; first += ROWS_AT_ONCE) {
          const some = rows
            .slice(first, first + ROWS_AT_ONCE)
            .map((row, index) => ({ ...row, row: first + index + 1 }));
          await tx`
            insert into batch_rows (batch_id, row, variables, origin, state, reason, ended_at)
            select ${batchId}, r.row, r.variables, r.origin, case when r.problem is null then 'waiting' else 'invalid' end, r.problem,
              case when r.problem is not null then clock_timestamp() end
            from jsonb_to_recordset(${tx.json(some as never)}) as r (row int, variables jsonb, origin text, problem text)`;
        }
        return count > 0;
      }),
    async get(batchId) {
      const [row] = await sql<BatchColumns[]>`${select(sql)} where batch_id = ${batchId} and expired_at is null`;
      return row === undefined ? null : toRecord(row);
    },
    async has(batchId) {
      return (await sql`select from batches where batch_id = ${batchId}`).count > 0;
    },
    async list(limit, tenant) {
      const rows = await sql<BatchColumns[]>`
        ${select(sql)} where expired_at is null ${tenant === undefined ? sql`` : sql`and tenant = ${tenant}`}
        order by created_at desc, batch_id limit ${limit}`;
      return rows.map((row) => {
        const { request: _request, requestHash: _hash, columns: _columns, ...batch } = toRecord(row);
        return batch;
      });
    },
    pause: (batchId, note) =>
      change(batchId, ['running', 'paused'], (tx) => {
        return tx`
          update batches set state = 'paused', note = ${note ?? null}, revision = revision + 1 where batch_id = ${batchId}`;
      }),
    resume: (batchId) =>
      change(batchId, ['running', 'paused'], (tx) => {
        return tx`
          update batches set state = 'running', note = null, revision = revision + 1 where batch_id = ${batchId}`;
      }),
    cancel: (batchId) =>
      change(batchId, ['running', 'paused', 'cancelling', 'cancelled'], async (tx) => {
        await tx`
          update batches set state = 'cancelling', note = null, revision = revision + 1
          where batch_id = ${batchId} and state <> 'cancelled'`;
        await tx`
          update batch_rows set state = 'cancelled', reason = 'The batch was cancelled before it was begun.',
            ended_at = clock_timestamp()
          where batch_id = ${batchId} and state = 'waiting'`;
      }),
    async retry(batchId) {
      let retried = 0;
      const changed = await change(batchId, ['running', 'paused', 'cancelled', 'completed'], async (tx) => {
        // A row whose session was never begun has none to go beside: its first attempt is still to come.
        ({ count: retried } = await tx`
          update batch_rows set state = 'waiting', attempt = attempt + (session_id is not null)::int, page = null,
            workflow_id = null, session_id = null, reason = null, result = null, ended_at = null, position = null,
            is_news = false
          where batch_id = ${batchId} and state = any(${RETRIED_ROW_STATES as string[]})`);
        if (retried === 0) return;
        await tx`
          update batches set state = case when state = 'paused' then state else 'running' end, ended_at = null,
            revision = revision + 1
          where batch_id = ${batchId}`;
        // A mail that is not sent yet would say what is no longer so.
        await tx`delete from webhook_deliveries where batch_id = ${batchId} and status = 'pending'`;
      });
      return { ...changed, retried };
    },
    async takeChanged(limit) {
      const rows = await sql<{ batchId: string; isAsked: boolean }[]>`
        update batches set signalled_at = clock_timestamp() where batch_id in (
          select batch_id from batches b
          where (revision > noticed or batch_id in (select batch_id from batch_rows where is_news) or ${mayGoOn(sql)})
            and (signalled_at is null or signalled_at < clock_timestamp() - ${SIGNAL_AGAIN_AFTER}::interval)
          limit ${limit} for update skip locked)
        returning batch_id, revision > noticed as is_asked`;
      return [...rows];
    },
    async expire({ sessionDays, tombstoneDays }) {
      const { count } = await sql`
        with due as (
          update batches set expired_at = clock_timestamp(), request = '{}', report = null where batch_id in (
            select batch_id from batches
            where expired_at is null and ended_at < clock_timestamp() - ${sessionDays} * interval '1 day'
            limit ${EXPIRED_AT_ONCE} for update skip locked)
          returning batch_id),
        mails as (delete from webhook_deliveries where batch_id in (select batch_id from due))
        delete from batch_rows where batch_id in (select batch_id from due)`;
      await sql`
        delete from batches
        where expired_at is not null and ended_at < clock_timestamp() - ${tombstoneDays} * interval '1 day'`;
      return count;
    },
  };
}

/** Another batch may have left an origin at which this one could start no further row. */
function mayGoOn(sql: Sql) {
  return sql`
    state = 'running' and exists (
      select from unnest(held_origins) as held (origin) where origin_concurrency > (
        select count(*) from batch_rows r join batches other using (batch_id)
        where other.tenant = b.tenant and r.state = 'running' and coalesce(r.origin, '') = held.origin))`;
}

interface BatchColumns {
  batchId: string;
  tenant: string;
  request: StartRequest;
  requestHash: string;
  columns: string[];
  concurrency: number;
  originConcurrency: number | null;
  state: BatchState;
  note: string | null;
  createdAt: Date;
  endedAt: Date | null;
  counts: Partial<RowCounts> | null;
  mails: MailDelivery[];
}

function select(sql: Sql) {
  return sql`
    select batch_id, tenant, request, request_hash, columns, concurrency, origin_concurrency, state, note, created_at, ended_at,
      (select jsonb_object_agg(state, count) from (
        select state, count(*) from batch_rows r where r.batch_id = batches.batch_id group by state) as counted) as counts,
      (select coalesce(jsonb_agg(jsonb_build_object('to', recipient, 'status', status, 'attempts', attempts, 'warning', warning)
        order by happened_at, delivery_id), '[]') from webhook_deliveries d where d.batch_id = batches.batch_id) as mails
    from batches`;
}

function toRecord({ batchId, note, originConcurrency, endedAt, counts, ...batch }: BatchColumns): BatchRecord {
  const rows = Object.fromEntries(
    RowStateSchema.options.map((state) => [state, counts?.[state] ?? 0]),
  ) as unknown as RowCounts;
  const { name } = batch.request;
  return {
    id: batchId,
    ...batch,
    ...(name === undefined ? {} : { name }),
    ...(note === null ? {} : { note }),
    ...(originConcurrency === null ? {} : { originConcurrency }),
    ...(endedAt === null ? {} : { endedAt }),
    total: Object.values(rows).reduce((sum, count) => sum + count, 0),
    rows,
  };
}
