import type { CliCommand } from '../context/define-command';
import { findSession } from '../context/find-session';
import { JSON_OPTION, SESSION_ARGUMENT } from '../input/options';
import { withServices } from '../context/services';
import { createTerminal } from '../terminal/terminal';

export const erase: CliCommand = {
  name: 'erase',
  summary: 'delete all data of an ended session',
  description: 'Deletes all data and the history in Temporal of an ended session, and says what may be left elsewhere.',
  examples: [['surefoot erase 3f2a', 'a session by the beginning of its id']],
  define: (command, end) =>
    command
      .argument(...SESSION_ARGUMENT)
      .option(...JSON_OPTION)
      .action(async (id: string, { json }: { json?: true }) => end(await eraseAndPrint(id, json === true))),
};

async function eraseAndPrint(id: string, isJson: boolean): Promise<number> {
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const report = await sessions.erase(sessionId);
    const terminal = createTerminal();
    if (isJson) terminal.printJson(report);
    else
      for (const line of [
        `Session ${sessionId} is erased. What may be left:`,
        ...report.left.map((place) => `  ${place}`),
      ])
        terminal.print(line);
    return 0;
  });
}
