import { listenForInterrupt } from '../../cli/terminal/interrupt';
import { outageReason } from '../../store/database/outage';
import { readOptions, UsageError } from './options';
import { sumOutcomes, writeOutcome } from './outcome';
import { report } from './report';
import { runChaos } from './run';

/** As a shell tells that a signal ended a process. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof EXIT_CODES;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if ('sum' in options) return report(sumOutcomes(options.sum)) ? 0 : 1;
  let first: Signal = 'SIGINT';
  for (const signal of Object.keys(EXIT_CODES) as Signal[]) process.prependOnceListener(signal, () => (first = signal));
  const { signal: asked } = listenForInterrupt();
  asked.addEventListener('abort', () => console.error(`${first}: all that was started is ended; nothing is judged.`));
  const failing = new AbortController();
  // The driver of a database that dies just then drops such a promise of its own; whatever else does is a fault of ours.
  process.on('unhandledRejection', (error) => {
    if (outageReason(error) === undefined) failing.abort(error);
  });
  try {
    const outcome = await runChaos(options, AbortSignal.any([asked, failing.signal]));
    if (options.json !== undefined) writeOutcome(options.json, outcome);
    return report(outcome) ? 0 : 1;
  } catch (error) {
    if (!asked.aborted) throw error;
    console.error('It has ended.');
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
