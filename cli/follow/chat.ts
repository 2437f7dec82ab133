import { createInterface } from 'node:readline';
import type { Sessions } from '../../service/port/port';
import type { LogRecord } from '../../contracts/events/log';
import { AddStepsRequestSchema } from '../../contracts/sessions/start-request';
import { issuesOf } from '../../contracts/errors/issues';
import { oneLineOf, toIssueLines } from '../context/failure';
import { sendOnce } from '../context/receipt';
import type { Terminal } from '../terminal/terminal';

const PROMPT = '> ';

/** The lines that a person types, or a program writes, as the next tasks of a conversation. */
export interface Chat {
  /** Prints above the prompt, and without a status line, which would be drawn over it. */
  terminal: Terminal;
  /** Reads the next message that is not empty; undefined at the end of the input. */
  next(): Promise<string | undefined>;
  /** Sends the next message when this record of the session's log says that it waits for one. */
  take(record: LogRecord): void;
  end(): void;
}

/** Reads messages from standard input. The end of the input (Ctrl-D) closes the conversation after its present task. */
export function openChat(sessions: Sessions, terminal: Terminal): Chat {
  const isLive = process.stdin.isTTY === true && terminal.isLive;
  const reader = createInterface({ input: process.stdin, output: process.stdout, terminal: isLive, prompt: PROMPT });
  const lines = reader[Symbol.asyncIterator]();
  // An interactive reader takes Ctrl-C itself; the command ends by the signal, as everywhere.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  let isPrompting = false;
  let sending: Promise<void> | undefined;
  let isStale = false;

  async function next(): Promise<string | undefined> {
    isPrompting = isLive;
    try {
      for (;;) {
        if (isLive) reader.prompt();
        const { done, value } = await lines.next();
        if (done === true) {
          // Ctrl-D leaves the cursor behind the prompt.
          if (isLive) terminal.print('');
          return undefined;
        }
        if (value.trim() !== '') return value.trim();
      }
    } finally {
      isPrompting = false;
    }
  }

  /** Sends the next message that the session takes; without one it closes the conversation. */
  async function send(sessionId: string): Promise<void> {
    // The records of a log that is read from its beginning also name waits that are over.
    if ((await sessions.get(sessionId)).waitingFor?.pausedFor !== 'message') return;
    for (;;) {
      const text = await next();
      if (text === undefined) {
        await sendOnce((options) => sessions.close(sessionId, options));
        return;
      }
      const parsed = AddStepsRequestSchema.safeParse({ steps: [{ task: text }] });
      if (parsed.success) {
        await sendOnce((options) => sessions.addSteps(sessionId, parsed.data, options));
        return;
      }
      for (const line of ['The message was not sent:', ...toIssueLines(issuesOf(parsed.error))])
        terminal.printError(line, 'bad');
    }
  }

  async function sendWhileWaiting(sessionId: string): Promise<void> {
    do {
      isStale = false;
      await send(sessionId);
      // A record came meanwhile: the session may wait again.
    } while (isStale);
  }

  function abovePrompt(print: () => void): void {
    if (isPrompting) terminal.clearLine();
    print();
    if (isPrompting) reader.prompt(true);
  }

  return {
    terminal: {
      ...terminal,
      isLive: false,
      setStatus: () => {},
      print: (line, tone) => abovePrompt(() => terminal.print(line, tone)),
      printError: (line, tone) => abovePrompt(() => terminal.printError(line, tone)),
      printBlock: (lines, tone) => abovePrompt(() => terminal.printBlock(lines, tone)),
      printJson: (value, indent) => abovePrompt(() => terminal.printJson(value, indent)),
    },
    next,
    take({ sessionId, data }) {
      if (data.details?.['waitingFor'] !== 'message') return;
      isStale = true;
      sending ??= sendWhileWaiting(sessionId)
        .catch((error: unknown) => terminal.printError(`The message was not sent: ${oneLineOf(error)}`, 'bad'))
        .finally(() => (sending = undefined));
    },
    end: () => reader.close(),
  };
}
