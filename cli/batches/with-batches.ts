import type { Command } from 'commander';
import type { Batch } from '../../contracts/batches/batch';
import type { Batches } from '../../service/batches/batches';
import { EXIT, type ExitCode } from '../context/exit';
import { withServices } from '../context/services';
import { createTerminal, type Terminal } from '../terminal/terminal';

export interface TenantOption {
  tenant?: string;
}

/** Adds the argument of one batch, and whose it has to be. */
export function withBatchId(command: Command): Command {
  return command.argument('<id>', 'the id of a batch').option('--tenant <name>', 'whose batch it has to be');
}

/** Connects to Temporal and the database and runs the work; resolves to the exit code of success. */
export async function withBatches(
  work: (batches: Batches, terminal: Terminal) => Promise<ExitCode | void>,
): Promise<ExitCode> {
  return await withServices('acting', async ({ store, temporal, settings }) => {
    const { createBatches } = await import('../../service/batches/batches.js');
    const { connections } = settings;
    const batches = createBatches({ store, temporal, connections, floors: settings });
    return (await work(batches, createTerminal())) ?? EXIT.done;
  });
}

/** How far it is: `12 of 20 rows: 9 completed, 3 invalid`. */
export function progressText({ total, rows }: Batch): string {
  const { waiting, running, ...ended } = rows;
  const all = { ...ended, running, waiting };
  const done = total - waiting - running;
  const parts = Object.entries(all).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));
  return `${done} of ${total} rows: ${parts.join(', ')}`;
}
