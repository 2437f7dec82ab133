import { parseArgs } from 'node:util';
import { UsageError, wholeNumber } from '../chaos/options';

export interface SoakOptions {
  sessions: number;
  /** How many run at once. */
  concurrent: number;
  json: string | undefined;
}

export function readOptions(args: string[]): SoakOptions {
  const { sessions, beside, json } = parse(args);
  return {
    sessions: wholeNumber('--sessions', sessions, 30),
    concurrent: wholeNumber('--beside', beside, 1),
    json,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        sessions: { type: 'string', default: '500' },
        beside: { type: 'string', default: '3' },
        json: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
