import type { BatchInput } from '../../contracts/batches/batch';
import { retryUntil } from '../chaos/retry-until';
import type { ApiClient } from '../../client/http/api-client';
import type { BatchList } from './rows';

/** The same rows under three names: one caller sends two of them, the other one. */
export const SUBMISSIONS = ['one-caller', 'once-more', 'other-caller'] as const;

const ANSWER_WITHIN_MS = 180_000;
/** Rows that have failed run again so often. */
const ROUNDS = 3;

/** As the API shows it. */
export type BatchRow = Awaited<ReturnType<ApiClient['listBatchRows']>>[number];

export interface Submitted {
  rows: BatchRow[];
  /** How many rows had failed and were run again. */
  retried: number;
}

export function batchInput(id: string, bank: string, { csv }: BatchList, concurrency: number): BatchInput {
  return {
    id,
    rows: { csv },
    concurrency,
    request: {
      name: id,
      variables: { bank },
      steps: [
        'Open ${bank}/pay?invoice=${invoice}',
        {
          instruction: 'Click "Pay"',
          once: { key: 'invoice-${invoice}' },
          check: { steps: ['Open ${bank}/paid?invoice=${invoice}', 'Expect "Paid ${invoice}"'], before: true },
        },
      ],
      config: {
        executorConfig: { screenshotsEnabled: false },
        replay: 'off',
        agent: { approvalMode: 'yolo' },
      },
    },
  };
}

/** Submits a batch, waits for its end, and runs again what has failed. */
export async function submit(api: ApiClient, input: BatchInput & { id: string }, limitMs: number): Promise<Submitted> {
  const { id } = input;
  const ask = <T>(what: string, call: () => Promise<T | undefined>) => retryUntil(what, ANSWER_WITHIN_MS, call);
  await ask(`${id} is taken`, () => api.startBatch(input));
  let retried = 0;
  for (let round = 0; ; round += 1) {
    const batch = await retryUntil(`the end of ${id}`, limitMs, async () => {
      const shown = await api.showBatch(id);
      return shown.endedAt === undefined ? undefined : shown;
    });
    if (batch.rows.failed === 0 || round === ROUNDS) break;
    retried += batch.rows.failed;
    await printFailed(api, id);
    await ask(`${id} runs again`, () => api.retryBatch(id));
  }
  return { rows: await allRows(api, id), retried };
}

async function printFailed(api: ApiClient, id: string): Promise<void> {
  for (const { row, state, sessionId = '-', reason = '' } of await allRows(api, id))
    if (state === 'failed') console.log(`  ${id}, row ${row}, session ${sessionId} failed: ${reason}`);
}

export async function allRows(api: ApiClient, id: string): Promise<BatchRow[]> {
  const rows: BatchRow[] = [];
  for (;;) {
    const after = rows.at(-1)?.row ?? 0;
    const page = await retryUntil('a page of rows', ANSWER_WITHIN_MS, () =>
      api.listBatchRows(id, { after, limit: 1000 }),
    );
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}
