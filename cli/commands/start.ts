import type { CliCommand } from '../context/define-command';
import { readSettings } from '../../runtime/settings/settings';
import { runDemo } from '../stack/demo';
import { CliError, type ExitCode } from '../context/exit';
import { modelSettings } from '../doctor/reachable-models';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { readStackFile } from '../../runtime/settings/stack-file';
import { dataFolder } from '../stack/data-folder';
import { asCalled } from '../terminal/as-called';
import { isUpHere } from '../stack/is-up-here';
import { listenForInterrupt } from '../terminal/interrupt';
import { toPort, toPositiveCount, toSeconds } from '../input/options';
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
    'Brings up what is missing (Temporal, PostgreSQL, Chromium, workers, keeper, API, the demo shop), runs the ' +
    'demo session and stays up until Ctrl-C stops it all.',
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
      .option('--model-timeout <seconds>', 'how long a call of it may take (30 by default)', toSeconds)
      .option('--context-window <tokens>', 'the context window that a server of your own gives it', toPositiveCount)
      .option('--keep', 'run the demo on the stack that is up here, if there is one, with its model, and leave it up')
      .action(async (options: StartOptions) => end(await startAndShow(options))),
};

async function startAndShow({ once, keep, ...options }: StartOptions): Promise<ExitCode> {
  if (keep && (await isUpHere())) {
    if (options.modelTimeout !== undefined || options.contextWindow !== undefined)
      throw new CliError(
        '--model-timeout and --context-window are for a stack that this command starts, and --keep leaves the one that is up as it is.',
      );
    if (options.model !== undefined) await assertRunningModel(options.model);
    return await showOnRunning();
  }
  return await withLocalStack(options, async (stack) => {
    const exitCode = await runDemo(stack);
    if (once || stack.interrupt.signal.aborted) return exitCode;
    printWhatNext(stack.terminal, stack.addresses);
    await stack.interrupt.interrupted;
    return 0;
  });
}

/** The workers of a stack have their model from its start; another one needs settings that they may not have. */
async function assertRunningModel(name: string): Promise<void> {
  const chosen = await modelSettings(name, process.env);
  const wanted = chosen['SUREFOOT_MODEL'] ?? readSetting(SETTINGS.model, process.env);
  const running = readStackFile(dataFolder())?.model;
  if (wanted === running) return;
  const message = `The stack that is up here has ${running === undefined ? 'another model' : `the model ${running}`}, and --keep leaves it as it is.`;
  throw new CliError(message, [
    `For ${wanted}: stop that stack with Ctrl-C and run ${asCalled(`start --model ${wanted}`)}.`,
    `For the demo with the model of that stack: ${asCalled('start --keep')}, without --model.`,
  ]);
}

async function showOnRunning(): Promise<ExitCode> {
  const settings = readSettings();
  const { databaseUrl, temporal } = settings;
  const interrupt = listenForInterrupt();
  const addresses = { ...settings.stack, databaseUrl, temporalAddress: temporal.address };
  return await runDemo({ settings, addresses, terminal: createTerminal(), interrupt }).finally(() => interrupt.end());
}
