import type { ControlMessage } from '../../contracts/messages/control-message';
import type { CliCommand } from '../context/define-command';
import { findSession } from '../context/find-session';
import { JSON_OPTION, SESSION_ARGUMENT } from '../input/options';
import { withServices } from '../context/services';
import { toTable } from '../terminal/table';
import { createTerminal } from '../terminal/terminal';

export const messages: CliCommand = {
  name: 'messages',
  summary: 'show what became of the messages to a session',
  description:
    'Lists pauses, answers, added steps and other messages, oldest first: applied, refused with the reason, or ' +
    'pending.',
  examples: [['surefoot messages 3f2a', 'a session by the beginning of its id']],
  define: (command, end) =>
    command
      .argument(...SESSION_ARGUMENT)
      .option(...JSON_OPTION)
      .action(async (id: string, { json }: { json?: true }) => end(await list(id, json === true))),
};

async function list(id: string, isJson: boolean): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const given = await sessions.messages(sessionId);
    const terminal = createTerminal();
    if (isJson) terminal.printJson(given, 2);
    else if (given.length === 0) terminal.print(`Session ${sessionId} was given no messages.`);
    else for (const line of toTable(['MESSAGE', 'NAME', 'GIVEN', 'STATE'], given.map(toRow))) terminal.print(line);
    return 0;
  });
}

function toRow({ messageId, name, createdAt, state, refusal }: ControlMessage): string[] {
  return [messageId, name, createdAt.toISOString(), refusal === undefined ? state : `${state}: ${refusal.message}`];
}
