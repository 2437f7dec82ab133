import { parseArgs } from 'node:util';
import { UsageError, wholeNumber } from '../chaos/options';

export interface BatchOptions {
  rows: number;
  kills: number;
  seed: number;
  /** Sessions of each submission that are open at once. */
  concurrency: number;
}

const DEFAULTS = { rows: '1000', kills: '100', seed: '1', concurrency: '3' } as const;

export function readBatchOptions(args: string[]): BatchOptions {
  const options = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  );
  try {
    const { values } = parseArgs({ args, options });
    const number = (name: keyof typeof DEFAULTS, least: number) =>
      wholeNumber(`--${name}`, String(values[name]), least);
    return {
      rows: number('rows', 20),
      kills: number('kills', 0),
      seed: number('seed', 0),
      concurrency: number('concurrency', 1),
    };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
