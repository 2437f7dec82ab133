import type { Command } from 'commander';
import type { OrderOptions, OrderReceipt, Sessions } from '../../client/port';
import type { CliCommand } from '../define-command';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT } from '../input/options';
import { giveOnce, printOrder } from '../order';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

/** What the session accepted: as JSON, and as a sentence for a person. */
interface Answer {
  accepted: OrderReceipt & { callId?: string };
  message: string;
}

type Send = (sessions: Sessions, sessionId: string, options: OrderOptions) => Promise<Answer>;

interface SessionCommand<Options, Args extends unknown[]> extends Omit<CliCommand, 'define'> {
  /** Adds what the command takes besides the session's id and `--json`. */
  extend?(command: Command): Command;
  /** Checks the options before anything is connected; returns the request to send. */
  prepare(options: Options, ...args: Args): Send | Promise<Send>;
}

/**
 * A command that gives one order to one running session. A session that refuses it says why, with exit code 2. An order is
 * stored in the database, so that it is taken while Temporal or its workers are away.
 */
export function defineSessionCommand<Options = object, Args extends unknown[] = []>({
  extend = (command) => command,
  prepare,
  ...rest
}: SessionCommand<Options, Args>): CliCommand {
  return {
    ...rest,
    define: (command, end) =>
      extend(command.argument(...SESSION_ARGUMENT))
        .option('--json', 'print what was accepted as JSON')
        .action(async (id: string, ...given: unknown[]) => {
          // Commander appends the options and the command itself to the arguments.
          const [options] = given.slice(-2) as [Options & { json?: true }];
          const send = await prepare(options, ...(given.slice(0, -2) as Args));
          end(await sendAndPrint(id, options.json === true, send));
        }),
  };
}

async function sendAndPrint(id: string, isJson: boolean, send: Send): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const { accepted, message } = await giveOnce((options) => send(sessions, sessionId, options));
    const { isReplayed: _isReplayed, ...shown } = accepted;
    if (isJson) createTerminal().printJson(shown);
    else printOrder(createTerminal(), accepted, message);
    return 0;
  });
}
