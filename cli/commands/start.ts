import type { CliCommand } from '../context/define-command';
import { readSettings } from '../../runtime/settings/settings';
import { runDemo } from '../stack/demo';
import type { ExitCode } from '../context/exit';
import { isUpHere } from '../stack/is-up-here';
import { listenForInterrupt } from '../terminal/interrupt';
import { toPort } from '../input/options';
import { printWhatNext, withLocalStack, type StackOptions } from '../stack/local-stack';
import { createTerminal } from '../terminal/terminal';

interface StartOptions extends StackOptions {
  once?: true;
  keep?: true;
}

export const start: CliCommand = {
  name: 'start',
  summary: 'bring the local stack up and run the demo session',
  description:
    'Brings up what is missing (Temporal with its web page, PostgreSQL, Chromium, workers, keeper, API, the demo shop), ' +
    'runs the demo session and stays up until Ctrl-C, which stops every process it started.',
  examples: [
    ['npm start', 'the stack and the demo'],
    ['npm start -- --once', 'the same as a check: it ends by itself'],
    ['surefoot start --keep', 'the demo again, while `surefoot dev` runs in another terminal'],
  ],
  define: (command, end) =>
    command
      .option('--once', 'end after the demo: exit code 0, or 1 if it failed')
      .option('--port <port>', 'port of the API; 0 takes any', toPort)
      .option('--model <names>', 'the model of sessions that name none; auto is the first that `surefoot models` lists')
      .option('--keep', 'run the demo on the stack that is up here already, if there is one, and leave that one up')
      .action(async (options: StartOptions) => end(await startAndShow(options))),
};

async function startAndShow({ once, keep, ...options }: StartOptions): Promise<ExitCode> {
  if (keep && (await isUpHere())) return await showOnRunning();
  return await withLocalStack(options, async (stack) => {
    const exitCode = await runDemo(stack);
    if (once || stack.interrupt.signal.aborted) return exitCode;
    printWhatNext(stack.terminal, stack.addresses);
    await stack.interrupt.interrupted;
    return 0;
  });
}

async function showOnRunning(): Promise<ExitCode> {
  const settings = readSettings();
  const { databaseUrl, temporal } = settings;
  const interrupt = listenForInterrupt();
  const addresses = { ...settings.stack, databaseUrl, temporalAddress: temporal.address };
  return await runDemo({ settings, addresses, terminal: createTerminal(), interrupt }).finally(() => interrupt.end());
}
