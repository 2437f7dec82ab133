import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from '../batches/change';
import { listBatches } from '../batches/list';
import { batchResults } from '../batches/results';
import { showBatch } from '../batches/show';
import { startBatch } from '../batches/start';
import { addCommand, type CliCommand } from '../context/define-command';

const SUBCOMMANDS: readonly CliCommand[] = [
  startBatch,
  listBatches,
  showBatch,
  batchResults,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  retryBatch,
];

export const batch: CliCommand = {
  name: 'batch',
  summary: 'start, list, show, pause, resume, cancel or retry batches, and print their results',
  description: 'A batch starts a session for each row of a CSV, of JSON lines or of a sheet, some of them at once.',
  examples: [
    ['surefoot batch start pay.json --rows invoices.csv --id may', 'a session for each invoice'],
    ['surefoot batch show may', 'how far it is'],
    ['surefoot batch results may > results.csv', 'what came of it'],
  ],
  define: (command, end) => {
    for (const subcommand of SUBCOMMANDS) addCommand(command, subcommand, end);
  },
};
