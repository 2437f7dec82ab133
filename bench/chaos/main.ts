import { listenForInterrupt } from '../../cli/terminal/interrupt';
import { outageReason } from '../../store/database/outage';
import { readOptions, UsageError } from './options';
import { sumOutcomes, writeOutcome } from './outcome';
import { report } from './report';
import { reportRolledBack, runRolledBack } from './rolled-back/run-rolled-back';
import { runChaos } from './run';

/** Exit codes as a shell reports signals. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof EXIT_CODES;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if ('sum' in options) return report(sumOutcomes(options.sum)) ? 0 : 1;
  let first: Signal = 'SIGINT';
  for (const signal of Object.keys(EXIT_CODES) as Signal[]) process.prependOnceListener(signal, () => (first = signal));
  const { signal: asked } = listenForInterrupt();
  asked.addEventListener('abort', () => console.error(`${first}: everything started is stopped; nothing is verified.`));
  const failing = new AbortController();
  // The database driver leaves rejections unhandled when the database dies; any other is a bug of ours.
  process.on('unhandledRejection', (error) => {
    if (outageReason(error) === undefined) failing.abort(error);
  });
  try {
    const ending = AbortSignal.any([asked, failing.signal]);
    if ('rolledBack' in options)
      return reportRolledBack(await runRolledBack(options.rolledBack, ending), options.rolledBack) ? 0 : 1;
    const outcome = await runChaos(options, ending);
    if (options.json !== undefined) writeOutcome(options.json, outcome);
    return report(outcome) ? 0 : 1;
  } catch (error) {
    if (!asked.aborted) throw error;
    console.error('Stopped.');
    return EXIT_CODES[first];
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
