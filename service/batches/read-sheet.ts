import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { ParsedRows } from '../../contracts/batches/rows-input';
import { compiledFolder } from '../../runtime/compiled-folder';
import type * as sheetThread from './parse-sheet';
import type { SheetAnswer } from './parse-sheet';

/** A sheet of 100,000 rows takes some seconds. */
const LIMIT_MS = 60_000;
const IDLE_MS = 10_000;

/** What is wrong with a whole sheet. */
export class SheetError extends Error {}

let pool: Piscina<Parameters<typeof sheetThread.parseSheet>[0], SheetAnswer> | undefined;

/** Made when it is first needed. Its thread does not keep the process alive. */
function thread(): NonNullable<typeof pool> {
  pool ??= new Piscina({
    filename: join(compiledFolder(), 'service', 'batches', 'parse-sheet.js'),
    name: 'parseSheet' satisfies keyof typeof sheetThread,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 },
  });
  return pool;
}

/** Parses a sheet in a thread, as a small file may unpack to much, and a large one would hold up the process. Throws SheetError. */
export async function readSheet(bytes: Uint8Array, name: string | undefined): Promise<ParsedRows> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const answer = await thread().run({ bytes, ...(name === undefined ? {} : { name }) }, { signal });
    if (answer.kind === 'rows') return answer.parsed;
    throw new SheetError(answer.message);
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!signal.aborted && !isTooLarge) throw error;
    throw new SheetError('it is too large; save its rows as a CSV', { cause: error });
  }
}
