import { Option } from 'commander';
import { ApprovalFilterSchema, type ApprovalFilter } from '../../contracts/approvals/approval';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { questionLines } from '../render/approval-text';
import { findSession } from '../context/find-session';
import { withServices } from '../context/services';
import { createTerminal } from '../terminal/terminal';

interface Options {
  session?: string;
  status?: ApprovalFilter;
  json?: true;
}

export const approvals: CliCommand = {
  name: 'approvals',
  summary: 'list what waits for a person',
  description:
    'Lists the calls that wait for an approval, commands of unknown outcome and codes that are asked for, oldest ' +
    'first.',
  examples: [
    ['surefoot approvals', 'everything that waits for somebody'],
    ['surefoot approvals --session 3f2a', 'what one session asks'],
    ['surefoot approvals --status approved', 'what was approved, by whom and for what'],
    ['surefoot approvals --status standing', 'what runs without a question until it is revoked'],
  ],
  define: (command, end) =>
    command
      .option('--session <id>', 'only those of this session')
      .addOption(
        new Option('--status <status>', 'those that ended in this way, with who answered what').choices(
          ApprovalFilterSchema.options,
        ),
      )
      .option(...JSON_OPTION)
      .action(async (options: Options) => end(await list(options))),
};

const EMPTY = { pending: 'Nothing waits for an answer.', other: 'There is none.' };

async function list({ session, status, json }: Options): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const of = session === undefined ? undefined : (await findSession(sessions, session)).sessionId;
    const questions = await sessions.approvals(of, status);
    const terminal = createTerminal();
    if (json === true) terminal.printJson(questions, 2);
    else if (questions.length === 0)
      terminal.print(EMPTY[status === undefined || status === 'pending' ? 'pending' : 'other']);
    else
      for (const [position, question] of questions.entries()) {
        if (position > 0) terminal.print('');
        for (const line of questionLines(question)) terminal.print(line);
      }
    return 0;
  });
}
