import { Option } from 'commander';
import { AgentConfigSchema } from '../../contracts/tasks/agent-config';
import type { ValidStart } from '../../contracts/sessions/start-request';
import type { CliCommand } from '../context/define-command';
import type { IdempotencyOptions } from '../../service/port/receipt';
import type { StartedSession } from '../../service/port/port';
import { ReplayModeSchema } from '../../contracts/recipes/replay-mode';
import { EXIT, type ExitCode } from '../context/exit';
import { listenForInterrupt } from '../terminal/interrupt';
import { parseBudget } from '../input/budget-option';
import { collectPair, collectText, toPositiveCount } from '../input/options';
import { sendOnce } from '../context/receipt';
import { parseRequest, type RequestOptions } from '../input/request';
import { collectSecret } from '../input/secret-options';
import { withServices } from '../context/services';
import { createTerminal, type Terminal } from '../terminal/terminal';
import { openChat, type Chat } from '../follow/chat';
import { addWatchOptions, watchToEnd, type WatchOptions } from '../follow/watch-session';
import { asCalled } from '../terminal/as-called';

interface RunOptions extends RequestOptions, WatchOptions {
  detach?: true;
  idempotencyKey?: string;
}

export const run: CliCommand = {
  name: 'run',
  summary: 'run a session and follow it',
  description:
    'Starts a session and follows it to its end. Steps come as arguments, from a file, or from standard input: one step ' +
    'per line (lines that begin with # are comments), or JSON as for the API: {"steps", "config", "variables"}.',
  examples: [
    ["surefoot run 'Open https://example.com' 'Save the heading as title'", 'steps as arguments'],
    ["surefoot run --task 'Find the cheapest tent in our shop'", 'a free task; needs a language model (--model)'],
    ["surefoot run --chat 'Open our shop and sign in'", 'a conversation'],
    ['surefoot run --file steps.txt --variable shop=http://127.0.0.1:4000', 'steps from a file'],
    ['surefoot run --file session.json --json | jq .type', 'events for a program'],
    [
      "surefoot run --result-schema products.json --json 'Open https://shop.example/' | jq -s '.[-1].result'",
      'what the page has, in the shape of a schema',
    ],
    ["echo 'Open https://example.com' | surefoot run -", 'steps from standard input'],
    ['surefoot run --detach --idempotency-key nightly-42 -f steps.txt', 'start once, come back later'],
  ],
  define: (command, end) =>
    addWatchOptions(
      command
        .argument(
          '[steps...]',
          'what to do, in plain English; each argument is a step, and a single - reads standard input',
        )
        .option('-t, --task', 'each argument is a free task, run with tools, instead of a step')
        .option(
          '--chat',
          'a conversation: the session stays open, and each line that you type is its next task, until Ctrl-D closes it; arguments are tasks',
        )
        .option('-f, --file <file>', 'read the steps from a file; - is standard input')
        .option('--variable <name=value>', 'a variable that steps use as ${name}; may be repeated', collectPair, [])
        .option(
          '--variable-env <name=ENV>',
          'the same, its value taken from the environment of the workers and never shown',
          collectPair,
          [],
        )
        .option(
          '--secret <alias=ENV@origins>',
          'a value that is only typed into fields of these origins (one, or several with commas) and shown nowhere, from a variable of your environment; steps use it as ${alias}; may be repeated',
          collectSecret,
        )
        .option('--env-file <file>', 'a file with such variables, in the format of .env')
        .option(
          '--allow-origin <origin>',
          'an origin that the browser may reach, such as https://*.shop.example, and no other; may be repeated',
          collectText,
        )
        .option('--model <model>', 'the model that leads the session (`rules` by default)')
        .option('--max-iterations <n>', 'model calls that a step may take', toPositiveCount)
        .option(
          '--budget <limits>',
          'what the session may use, such as tokens=20000,cost=0.50,steps=5,seconds=600; then it waits for a decision',
          parseBudget,
        )
        .option('--budget-end', 'end with what is done when the budget is used up, instead of waiting')
        .addOption(
          new Option('--approval-mode <mode>', 'which calls of tools a person is asked about').choices(
            AgentConfigSchema.shape.approvalMode.options,
          ),
        )
        .option('--name <name>', 'what lists call the session, in place of its first step')
        .option('--tenant <name>', 'whose session it is: tenants take turns, and have keys of their own')
        .option(
          '--result-schema <file>',
          'a JSON schema: what the session returns, printed at its end and as `result` of the last line of --json',
        )
        .addOption(
          new Option('--replay <mode>', 'whether recipes of earlier sessions are used in place of the model').choices(
            ReplayModeSchema.options,
          ),
        )
        .option(
          '--replay-only',
          'the same as --replay only: no model is called, and a step that no recipe does ends the session, with exit code 4',
        )
        .option('--headed', 'show the browser window')
        .option('--idempotency-key <key>', 'a second run with the same key follows the session of the first')
        .option('-d, --detach', 'print the id of the session and leave it to itself'),
    ).action(async (steps: string[], options: RunOptions) => end(await runSession(steps, options))),
};

async function runSession(steps: string[], options: RunOptions): Promise<ExitCode> {
  const isAsked = options.chat === true && steps.length === 0 && options.file === undefined;
  const given = isAsked ? undefined : await parseRequest(steps, options);
  const interrupt = listenForInterrupt();
  const terminal = createTerminal();
  return await withServices('acting', async (services) => {
    const chat =
      options.chat === true && options.detach === undefined ? openChat(services.sessions, terminal) : undefined;
    const parsed = given ?? (await parseFirst(chat, options));
    if (interrupt.signal.aborted) return EXIT.interrupted;
    const start = (keyed: IdempotencyOptions) => services.sessions.startParsed(parsed, keyed);
    const started = await sendOnce(start, options.idempotencyKey);
    if (options.detach) {
      printDetached(terminal, started, options.json === true);
      return EXIT.done;
    }
    if (!started.isNew && options.idempotencyKey !== undefined)
      terminal.printError(`The key has started session ${started.sessionId} before; this follows it.`);
    return await watchToEnd(services, { ...started, after: 0 }, terminal, interrupt, options, chat);
  }).finally(() => interrupt.end());
}

/** Reads the first task of a conversation that was started without one. */
async function parseFirst(chat: Chat | undefined, options: RunOptions): Promise<ValidStart> {
  const first = await chat?.next();
  return await parseRequest(first === undefined ? [] : [first], options);
}

function printDetached(terminal: Terminal, started: StartedSession, isJson: boolean): void {
  if (isJson) return terminal.printJson(started);
  for (const warning of started.warnings) terminal.printError(`! ${warning}`, 'warning');
  // Only the id goes to standard output, so that a script can store it.
  terminal.print(started.sessionId);
  terminal.printError(`It runs in the background; ${asCalled(`watch ${started.sessionId}`)} follows it.`);
}
