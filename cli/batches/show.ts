import type { BatchRow } from '../../contracts/batches/batch';
import { fitted } from '../../contracts/text';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { deliveryWarnings } from '../render/session-text';
import { toPairs, toTable } from '../terminal/table';
import { progressText, withBatches, withBatchId, type TenantOption } from './with-batches';

/** Of each state that people look at. */
const SHOWN_ROWS = 10;

export const showBatch: CliCommand = {
  name: 'show',
  summary: 'say how far a batch is, and which rows need a look',
  description: `Shows the progress of a batch, with the first ${SHOWN_ROWS} rows each that run, have failed or are invalid.`,
  examples: [
    ['surefoot batch show may', 'one batch'],
    ['surefoot batch show may --json | jq .rows', 'how many rows are in each state'],
  ],
  define: (command, end) =>
    withBatchId(command)
      .option(...JSON_OPTION)
      .action(async (id: string, options: TenantOption & { json?: true }) => end(await show(id, options))),
};

async function show(id: string, { json, tenant }: TenantOption & { json?: true }): Promise<number> {
  return await withBatches(async (batches, terminal) => {
    const batch = await batches.get({ id, tenant });
    if (json === true) return terminal.printJson(batch, 2);
    const { state, note, concurrency, originConcurrency, createdAt, endedAt } = batch;
    const pairs = toPairs([
      ['batch', `${id} of ${batch.tenant}`],
      ['state', `${state}${note === undefined ? '' : `: ${note}`}`],
      ['progress', progressText(batch)],
      [
        'at once',
        originConcurrency === undefined ? String(concurrency) : `${concurrency}, ${originConcurrency} an origin`,
      ],
      ['started', createdAt.toISOString()],
      ...(endedAt === undefined ? [] : [['ended', endedAt.toISOString()] as [string, string]]),
    ]);
    for (const line of pairs) terminal.print(line);
    for (const warning of deliveryWarnings({ webhook: null, mails: batch.mails }))
      terminal.printBlock([warning], 'warning');
    const shown: BatchRow[] = [];
    for (const each of ['running', 'failed', 'invalid'] as const)
      shown.push(...(await batches.rows({ id, tenant }, { state: each, limit: SHOWN_ROWS })));
    const table = toTable(
      ['ROW', 'STATE', 'SESSION', 'REASON'],
      shown.map(({ row, state: of, sessionId, reason }) => [String(row), of, sessionId ?? '-', reason ?? '-']),
    );
    const width = process.stdout.isTTY ? terminal.columns : Infinity;
    if (shown.length > 0) terminal.printBlock(table.map((line) => fitted(line, width)));
  });
}
