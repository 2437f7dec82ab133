import type { Command } from 'commander';
import type { IdempotencyOptions, MessageReceipt } from '../../service/port/receipt';
import type { Sessions } from '../../service/port/port';
import { isByApproval } from '../../contracts/messages/message-path';
import {
  messageDefinition,
  type ControlMessageName,
  type MessageInput,
  type MessageWithInput,
} from '../../contracts/messages/messages';
import type { CliCommand } from '../context/define-command';
import { findSession } from '../context/find-session';
import { JSON_OPTION, SESSION_ARGUMENT } from '../input/options';
import { printReceipt, sendOnce } from '../context/receipt';
import { withServices } from '../context/services';
import { asCalled } from '../terminal/as-called';
import { createTerminal } from '../terminal/terminal';

interface MessageCommand<N extends MessageWithInput, Options, Args extends unknown[]> {
  /** Unless it is that of the message. */
  name?: string;
  examples: CliCommand['examples'];
  /** Adds what the command takes besides the id of the session and `--json`; of a message by approval, the approval too. */
  extend(command: Command): Command;
  /** Checks the options before anything is connected; returns the input of the message. */
  read(options: Options, ...args: Args): MessageInput<N> | Promise<MessageInput<N>>;
}

/**
 * A command that sends one message to one running session. A session that refuses it says why, with exit code 2. A message is
 * stored in the database, so that it is taken while Temporal or its workers are away.
 */
export function defineMessageCommand<N extends MessageWithInput, Options, Args extends unknown[] = []>(
  message: N,
  { name = toCommandName(message), examples, extend, read }: MessageCommand<N, Options, Args>,
): CliCommand {
  const isOfSession = !isByApproval(message);
  return {
    ...describe(message),
    name,
    examples,
    define: (command, end) =>
      extend(isOfSession ? command.argument(...SESSION_ARGUMENT) : command)
        .option(...JSON_OPTION)
        .action(async (...given: unknown[]) => {
          // Commander appends the options and the command itself to the arguments.
          const [options] = given.slice(-2) as [Options & { json?: true }];
          const args = given.slice(isOfSession ? 1 : 0, -2) as Args;
          const input = await read(options, ...args);
          const id = isOfSession ? (given[0] as string) : undefined;
          end(await sendAndPrint(message, id, input, options.json === true));
        }),
  };
}

/** The command of a message whose name says all. */
export function plainMessageCommand(message: ControlMessageName): CliCommand {
  const name = toCommandName(message);
  return {
    ...describe(message),
    name,
    examples: [[`surefoot ${name} 3f2a`, 'a session by the beginning of its id']],
    define: (command, end) =>
      command
        .argument(...SESSION_ARGUMENT)
        .option(...JSON_OPTION)
        .action(async (id: string, { json }: { json?: true }) =>
          end(await sendAndPrint(message, id, undefined, json === true)),
        ),
  };
}

/** `cancelTurn` is `cancel-turn`. */
function toCommandName(message: ControlMessageName): string {
  return message.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function describe(message: ControlMessageName): Pick<CliCommand, 'summary' | 'description'> {
  const { summary, description } = messageDefinition(message);
  return { summary: summary.charAt(0).toLowerCase() + summary.slice(1), description };
}

async function sendAndPrint(
  message: ControlMessageName,
  id: string | undefined,
  input: unknown,
  isJson: boolean,
): Promise<number> {
  return await sendWith(message, input, isJson, async (sessions, options) => {
    const session = id === undefined ? undefined : (await findSession(sessions, id)).sessionId;
    return await sessions.send(message, session, input, options);
  });
}

/** Sends a message, and prints what the session does with it. */
export async function sendWith(
  message: ControlMessageName,
  input: unknown,
  isJson: boolean,
  send: (sessions: Sessions, options: IdempotencyOptions) => Promise<MessageReceipt>,
): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const receipt = await sendOnce((options) => send(sessions, options));
    const { isReplayed: _isReplayed, ...accepted } = receipt;
    if (isJson) createTerminal().printJson(accepted);
    else printReceipt(createTerminal(), receipt, sentenceOf(message, receipt, input));
    return 0;
  });
}

/** `Session 3f2a… goes on; surefoot watch 3f2a… follows it.` */
function sentenceOf(message: ControlMessageName, receipt: MessageReceipt, input: unknown): string {
  const { done, next } = messageDefinition(message);
  const { sessionId } = receipt;
  const hint = next === undefined ? '' : `; ${asCalled(`${next.command} ${sessionId}`)} ${next.does}`;
  return `Session ${sessionId} ${done(receipt, input)}${hint}.`;
}
