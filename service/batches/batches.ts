import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Batch, BatchRequest, BatchRow, BatchRowQuery } from '../../contracts/batches/batch';
import type { RowsFormat } from '../../contracts/batches/rows-input';
import { tenantOf } from '../../contracts/sessions/workflow-facts';
import type { BatchChange, BatchRecord } from '../../store/batches/batches';
import { batchIdFromKey } from '../../store/sessions/session-id';
import type { Store } from '../../store/store';
import { keyReused, parseIdempotencyKey } from '../connection/idempotency-key';
import { fromStore, toStoreError } from '../connection/store-errors';
import { ClientError } from '../port/port';
import type { IdempotencyOptions } from '../port/receipt';
import { notFound } from '../rows/session-row';
import type { StartRules } from '../sessions/valid-start';
import { followResults, type FollowedRows, type FollowOptions } from './follow-results';
import { parseBatch } from './new-batch';
import { resultsText } from './results-text';
import { wakeBatch } from './wake-batch';

/** Which batch; one of another tenant is `not-found` where a tenant is named. */
export interface BatchId {
  id: string;
  tenant?: string | undefined;
}

/** Lists of rows, a session each. Methods may throw ClientError. */
export interface Batches {
  /** The same request under the same id or key is the same batch. */
  start(request: BatchRequest, options?: IdempotencyOptions): Promise<Batch>;
  /** The newest, of one tenant or of all. */
  list(tenant?: string): Promise<Batch[]>;
  get(batch: BatchId): Promise<Batch>;
  rows(batch: BatchId, query?: BatchRowQuery): Promise<BatchRow[]>;
  /** The rows that have ended so far, in pages of text. */
  results(batch: BatchId, format: RowsFormat): Promise<AsyncIterable<string>>;
  /** Those and the others as they end, in the order of their ends, until the batch has ended; waits through outages. */
  follow(batch: BatchId, options: FollowOptions): AsyncIterable<FollowedRows>;
  /** Starts no further row; open sessions go on. */
  pause(batch: BatchId): Promise<Batch>;
  resume(batch: BatchId): Promise<Batch>;
  /** Cancels the open sessions too. */
  cancel(batch: BatchId): Promise<Batch>;
  /** Runs the rows again that have failed or were cancelled, each as another session. */
  retry(batch: BatchId): Promise<{ retried: number }>;
}

const LISTED = 100;

export function createBatches({ store, temporal, ...rules }: StartRules & { store: Store; temporal: Client }): Batches {
  /** Where Temporal is away, an engine worker does it (worker/batch-sweep.ts). */
  const wake = (batchId: string) => wakeBatch({ store, temporal }, batchId).catch(() => {});
  const find = async ({ id, tenant }: BatchId): Promise<BatchRecord> => {
    const found = await store.batches.get(id);
    if (found === null) throw notFound(`There is no batch ${id}.`);
    if (tenant !== undefined && found.tenant !== tenant)
      throw notFound(`There is no batch ${id} of the tenant ${tenant}.`);
    return found;
  };
  const change = async (batch: BatchId, verb: string, act: (id: string) => Promise<BatchChange>): Promise<Batch> =>
    await fromStore(async () => {
      await find(batch);
      assertChanged(batch.id, verb, await act(batch.id));
      await wake(batch.id);
      return withoutRequest(await find(batch));
    });
  return {
    async start(request, { idempotencyKey } = {}) {
      const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey);
      const madeUp = key === undefined ? randomUUID() : batchIdFromKey(tenantOf(request.request), key);
      const { id = madeUp } = request;
      const parsed = await parseBatch({ store, ...rules }, id, request);
      const isNew = await store.batches.create(parsed).catch((error: unknown) => {
        throw toStoreError(error);
      });
      if (!isNew && (await fromStore(() => store.batches.get(id)))?.requestHash !== parsed.requestHash)
        throw request.id === undefined ? keyReused(`the batch ${id}`) : taken(id);
      await wake(id);
      return await fromStore(async () => withoutRequest(await find({ id })));
    },
    list: (tenant) => fromStore(() => store.batches.list(LISTED, tenant)),
    get: (batch) => fromStore(async () => withoutRequest(await find(batch))),
    rows: (batch, query = {}) =>
      fromStore(async () => {
        await find(batch);
        return await store.batches.rows.list(batch.id, query);
      }),
    results: (batch, format) =>
      fromStore(async () => {
        const { columns } = await find(batch);
        return resultsText(store.batches, { id: batch.id, columns }, format);
      }),
    follow: (batch, options) => followResults(store.batches, () => find(batch), options),
    pause: (batch) => change(batch, 'paused', (id) => store.batches.pause(id)),
    resume: (batch) => change(batch, 'resumed', (id) => store.batches.resume(id)),
    cancel: (batch) => change(batch, 'cancelled', (id) => store.batches.cancel(id)),
    async retry(batch) {
      let retried = 0;
      await change(batch, 'run again', async (id) => {
        const changed = await store.batches.retry(id);
        ({ retried } = changed);
        return changed;
      });
      return { retried };
    },
  };
}

function withoutRequest({ request: _request, requestHash: _hash, columns: _columns, ...batch }: BatchRecord): Batch {
  return batch;
}

function assertChanged(id: string, verb: string, change: BatchChange): void {
  if (change.kind === 'unknown') throw notFound(`There is no batch ${id}.`);
  if (change.kind === 'changed') return;
  const why =
    change.state === 'cancelling'
      ? 'it is being cancelled; wait until its sessions have ended'
      : `it is ${change.state}`;
  throw new ClientError('wrong-state', 'CM004', `The batch ${id} can't be ${verb}: ${why}.`);
}

function taken(id: string): ClientError {
  return new ClientError('wrong-state', 'CM004', `There is another batch ${id} already. Give this one another id.`);
}
