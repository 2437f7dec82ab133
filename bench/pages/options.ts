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

/** Each with what `--help` says of it. */
const OPTIONS = {
  suite: { type: 'string', doc: `Suites, with commas: ${Object.keys(SUITES).join(',')}. All unless given.` },
  only: { type: 'string', doc: 'Only scenarios and pages whose name contains one of these, with commas.' },
  part: { type: 'string', default: 'all', doc: `What to run: ${PARTS.join(', ')}.` },
  seeds: { type: 'string', default: '2', doc: 'How many instances of each task of MiniWoB++.' },
  sessions: { type: 'string', default: '2', doc: 'How many sessions run at once.' },
  report: { type: 'string', doc: 'A file for all failures with what session and page said, in Markdown.' },
  help: { type: 'boolean', short: 'h', doc: 'Prints this.' },
} as const;

export const PAGES_HELP = [
  'npm run bench -- pages [options]',
  '',
  ...Object.entries(OPTIONS).map(([name, option]) => {
    const more = 'default' in option ? ` (${option.default})` : '';
    return `  --${name.padEnd(10)}${option.doc}${more}`;
  }),
].join('\n');

/** Undefined where only the options are asked for. */
export function readPagesOptions(args: string[]): PagesOptions | undefined {
  const { suite, only, seeds, sessions, report, part, help } = parse(args);
  if (help === true) return undefined;
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
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name}: expected a whole number from 1, got “${text}”.`);
  return Number(text);
}
