import type { Command } from 'commander';
import type { Ending } from '../exit';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT, withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

interface Options {
  reason?: string;
  json?: true;
}

export function addCancelCall(program: Command, end: Ending): void {
  const command = program
    .command('cancel-call')
    .summary('cancel one tool call of a task')
    .description(
      'One that has not begun never begins, one that waits for an approval is asked about no more, one that runs is stopped. ' +
        'Its model is told, with the reason; the other calls and the task go on.',
    )
    .argument(...SESSION_ARGUMENT)
    .argument('<call>', 'id of the call, as events and approvals have it')
    .option('--reason <text>', 'what the model is told')
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, callId: string, options: Options) => end(await carryOut(id, callId, options)));
  withExamples(command, [['surefoot cancel-call 3f2a call_5f3e7c1a9d202b1c --reason "it takes too long"', 'and why']]);
}

async function carryOut(given: string, callId: string, { reason, json }: Options): Promise<number> {
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, given);
    const accepted = await sessions.cancelCall(sessionId, { callId, ...(reason === undefined ? {} : { reason }) });
    const told = `Call ${callId} is cancelled; session ${sessionId} goes on without it.`;
    createTerminal().print(json === true ? JSON.stringify({ sessionId, callId, ...accepted }) : told);
    return 0;
  });
}
