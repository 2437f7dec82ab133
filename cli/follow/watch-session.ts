import { Option, type Command } from 'commander';
import { REPLAY_DIVERGED } from '../../contracts/recipes/replay-mode';
import { FORMAT_NAMES, type FormatName } from '../../contracts/events/formats/formats';
import { readerGone } from '../terminal/broken-pipe';
import { EXIT, type ExitCode } from '../context/exit';
import { EXIT_OF_END } from './exit-of-end';
import { followSession } from './follow-session';
import type { Interrupt } from '../terminal/interrupt';
import { openChat, type Chat } from './chat';
import { sessionLinks } from '../render/links';
import { toSeconds } from '../input/options';
import type { Services } from '../context/services';
import { variableLines } from '../render/session-text';
import { asCalled } from '../terminal/as-called';
import { toPairs } from '../terminal/table';
import type { Terminal } from '../terminal/terminal';

export interface WatchOptions {
  json?: true;
  /** Prints NDJSON like `json`, in this format. */
  format?: FormatName;
  verbose?: true;
  /** Sends what is typed as the next tasks of a conversation. */
  chat?: true;
  /** Milliseconds. */
  timeout?: number;
}

/** Adds the options of every command that follows a session. */
export function addWatchOptions(command: Command): Command {
  return command
    .option('--json', 'print events as NDJSON: a StreamEvent with its `seq` per line')
    .addOption(
      new Option('--format <format>', 'the same in this format, a frame with its `seq` per line').choices(FORMAT_NAMES),
    )
    .option('-v, --verbose', 'also print thoughts, pages and screenshots')
    .option(
      '--timeout <seconds>',
      'stop watching after so many seconds, with exit code 3; the session goes on',
      toSeconds,
    );
}

interface Watched {
  sessionId: string;
  workflowId: string;
  totalSteps: number;
  after: number;
}

/** Follows a session to its end and prints a summary, or how to come back to it; resolves to the exit code. */
export async function watchToEnd(
  { sessions, settings }: Services,
  watched: Watched,
  terminal: Terminal,
  interrupt: Interrupt,
  options: WatchOptions,
  chat: Chat | undefined = options.chat === true ? openChat(sessions, terminal) : undefined,
): Promise<ExitCode> {
  const { sessionId } = watched;
  const format = options.format ?? (options.json === true ? 'stream' : undefined);
  const ended = await followSession(sessions, sessionId, chat?.terminal ?? terminal, {
    after: watched.after,
    totalSteps: watched.totalSteps,
    format,
    isDetailed: options.verbose === true,
    timeoutMs: options.timeout,
    interrupt: interrupt.signal,
    onRecord: chat?.take,
  }).finally(() => chat?.end());
  const exitCode = EXIT_OF_END[ended];
  if (exitCode === EXIT.timeout || exitCode === EXIT.interrupted) {
    // The reader closed the pipe, as `| head` does: nothing more is printed.
    if (readerGone.aborted) return exitCode;
    const why = ended === 'timeout' ? `${(options.timeout ?? 0) / 1000} s are over` : 'Interrupted';
    terminal.printError(
      `${why}; the session goes on. Come back to it with ${asCalled(`watch ${sessionId}${chat === undefined ? '' : ' --chat'}`)}.`,
    );
  } else if (options.json === true && options.format === undefined) {
    const { result, session } = await sessions.get(sessionId);
    if (result !== null) terminal.printJson({ sessionId, status: session.status, result });
  } else if (format === undefined) {
    const { variables, result } = await sessions.get(sessionId);
    const saved = variables.filter(({ source }) => source !== 'user_input');
    terminal.printBlock(variableLines(saved));
    terminal.printBlock(toPairs(sessionLinks(settings, watched)));
    // Last, where a reader of the output looks for it.
    if (result !== null) {
      terminal.print('');
      terminal.printJson(result, 2);
    }
  }
  if (exitCode !== EXIT.sessionFailed) return exitCode;
  const { error } = await sessions.get(sessionId);
  return error?.details?.['kind'] === REPLAY_DIVERGED ? EXIT.diverged : exitCode;
}
