import type { ValidStart } from '../../contracts/sessions/start-request';
import type { CliCommand } from '../context/define-command';
import type { IdempotencyOptions } from '../../service/port/receipt';
import type { StartedSession } from '../../service/port/port';
import { EXIT, type ExitCode } from '../context/exit';
import { listenForInterrupt } from '../terminal/interrupt';
import { sendOnce } from '../context/receipt';
import { parseRequest, type RequestOptions } from '../input/request';
import { addRequestOptions, ENV_FILE_OPTION } from '../input/request-options';
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
    'Starts a session and follows it to its end. Steps come as arguments, from a file, or from standard input: ' +
    'one a line (# begins a comment), or JSON as for the API: {"steps", "config", "variables"}.',
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
      addRequestOptions(command)
        .argument('[steps...]', 'what to do, a step each; a single - reads standard input')
        .option(
          '--chat',
          'a conversation: each line that you type is the next task, until Ctrl-D closes it; arguments are tasks',
        )
        .option(...ENV_FILE_OPTION)
        .option('--replay-only', '--replay only: a step that no recipe does ends the session, with exit code 4')
        .option('--not-before <time>', 'begin at this time, such as 2026-03-01T03:00:00+01:00')
        .option('--idempotency-key <key>', 'a second run with the same key follows the session of the first')
        .option('-d, --detach', 'print the id of the session and end'),
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
