import { Option } from 'commander';
import { RowsFormatSchema, type RowsFormat } from '../../contracts/batches/rows-input';
import type { Batches } from '../../service/batches/batches';
import type { CliCommand } from '../context/define-command';
import { CliError, EXIT, type ExitCode } from '../context/exit';
import { toCount } from '../input/options';
import { asCalled } from '../terminal/as-called';
import { readerGone } from '../terminal/broken-pipe';
import { listenForInterrupt } from '../terminal/interrupt';
import type { Terminal } from '../terminal/terminal';
import { withBatches, withBatchId, type TenantOption } from './with-batches';

interface Options extends TenantOption {
  format: RowsFormat;
  follow?: true;
  after?: number;
}

export const batchResults: CliCommand = {
  name: 'results',
  summary: 'print what came of the rows so far, or as they end',
  description:
    'Prints the rows that have ended so far, in the order of the list, with their state, session, variables, reason and result. A ' +
    'result is JSON in a CSV too. With --follow they come as they end, each with its position, until the batch has ended.',
  examples: [
    ['surefoot batch results may > results.csv', 'a table'],
    ['surefoot batch results may --format jsonl | jq -c "select(.state == \\"failed\\")"', 'what has failed'],
    [
      'surefoot batch results may --follow --after 17 >> results.csv',
      'what has ended behind position 17, and ends now',
    ],
  ],
  define: (command, end) =>
    withBatchId(command)
      .addOption(new Option('--format <format>', 'csv or JSON lines').choices(RowsFormatSchema.options).default('csv'))
      .option('-f, --follow', 'print rows as they end, until the batch has ended')
      .option('--after <position>', 'with --follow: begin behind the row of this position', toCount)
      .action(async (id: string, options: Options) => end(await results(id, options))),
};

async function results(id: string, { tenant, format, follow, after }: Options): Promise<ExitCode> {
  if (after !== undefined && follow !== true) throw new CliError('--after is for --follow.');
  return await withBatches(async (batches, terminal) => {
    if (follow === true) return await followToEnd(batches, terminal, { id, tenant }, { format, after });
    for await (const text of await batches.results({ id, tenant }, format)) print(terminal, text);
    return EXIT.done;
  });
}

async function followToEnd(
  batches: Batches,
  terminal: Terminal,
  batch: { id: string; tenant: string | undefined },
  { format, after = 0 }: { format: RowsFormat; after: number | undefined },
): Promise<ExitCode> {
  const interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const onOutage = () => terminal.printError('The database does not answer; trying again.', 'warning');
  let reached = after;
  try {
    for await (const { text, position } of batches.follow(batch, { format, after, signal, onOutage })) {
      print(terminal, text);
      reached = position;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    interrupt.end();
  }
  if (!signal.aborted) return EXIT.done;
  if (!readerGone.aborted)
    terminal.printError(
      `Interrupted; the batch goes on. ${asCalled(`batch results ${batch.id} --follow --after ${reached}`)} prints the rest.`,
    );
  return EXIT.interrupted;
}

function print(terminal: Terminal, text: string): void {
  terminal.printFile(text.replace(/\n$/, ''));
}
