import { parseArgs } from 'node:util';
import { UsageError } from '../chaos/options';
import { SUITES, type SuiteName } from './suites';

export interface PagesOptions {
  suites: readonly SuiteName[];
  /** Only scenarios and pages whose name contains one of these. */
  only: readonly string[] | undefined;
  /** How many instances of each generated task. */
  seeds: number;
  /** How many sessions run at once. */
  sessions: number;
  /** A file for failures by cause, in Markdown. */
  report: string | undefined;
  part: 'all' | 'oracle' | 'scenarios';
}

const PARTS: readonly PagesOptions['part'][] = ['all', 'oracle', 'scenarios'];

export function readPagesOptions(args: string[]): PagesOptions {
  const { suite, only, seeds, sessions, report, part } = parse(args);
  const unknown = suite?.split(',').find((name) => !(name in SUITES));
  if (unknown !== undefined)
    throw new UsageError(`--suite: expected some of ${Object.keys(SUITES).join(',')}; got “${unknown}”.`);
  if (!PARTS.includes(part as PagesOptions['part']))
    throw new UsageError(`--part: expected one of ${PARTS.join(', ')}; got “${part}”.`);
  return {
    suites: (suite?.split(',') ?? Object.keys(SUITES)) as SuiteName[],
    only: only?.split(','),
    seeds: wholeNumber('--seeds', seeds),
    sessions: wholeNumber('--sessions', sessions),
    report,
    part: part as PagesOptions['part'],
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        suite: { type: 'string' },
        only: { type: 'string' },
        seeds: { type: 'string', default: '2' },
        sessions: { type: 'string', default: '2' },
        report: { type: 'string' },
        part: { type: 'string', default: 'all' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name}: expected a whole number from 1, got “${text}”.`);
  return Number(text);
}
