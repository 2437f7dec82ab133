import type { Command } from 'commander';
import { questionLines } from '../render/approval-text';
import type { Ending } from '../exit';
import { findSession } from '../find-session';
import { withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

interface Options {
  session?: string;
  json?: true;
}

export function addApprovals(program: Command, end: Ending): void {
  const command = program
    .command('approvals')
    .summary('list what sessions ask people')
    .description('Lists the calls that wait for an approval and the outcomes that nobody knows, oldest first.')
    .option('--session <id>', 'only those of this session')
    .option('--json', 'print them as JSON')
    .action(async (options: Options) => end(await list(options)));
  withExamples(command, [
    ['surefoot approvals', 'everything that waits for somebody'],
    ['surefoot approvals --session 3f2a', 'what one session asks'],
  ]);
}

async function list({ session, json }: Options): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const of = session === undefined ? undefined : (await findSession(sessions, session)).sessionId;
    const questions = await sessions.approvals(of);
    const terminal = createTerminal();
    if (json === true) terminal.print(JSON.stringify(questions, null, 2));
    else if (questions.length === 0) terminal.print('Nobody is asked anything.');
    else terminal.print(questions.map((question) => questionLines(question).join('\n')).join('\n\n'));
    return 0;
  });
}
