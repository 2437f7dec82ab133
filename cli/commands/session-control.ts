import type { Command } from 'commander';
import type { Sessions } from '../../client/port';
import type { Accepted } from '../../workflows/messages';
import type { Ending } from '../exit';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT, withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

export interface SessionControl {
  name: 'pause' | 'resume' | 'cancel' | 'close' | 'cancel-turn';
  summary: string;
  description: string;
  send(sessions: Sessions, sessionId: string): Promise<Accepted>;
  /** What to tell once it was accepted. */
  describe(sessionId: string, accepted: Accepted): string;
}

/** A command that asks one thing of one running session. A session that can't do it now says why, with exit code 2. */
export function addSessionControl(program: Command, end: Ending, control: SessionControl): void {
  const command = program
    .command(control.name)
    .summary(control.summary)
    .description(control.description)
    .argument(...SESSION_ARGUMENT)
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, options: { json?: true }) => end(await carryOut(control, id, options.json === true)));
  withExamples(command, [[`surefoot ${control.name} 3f2a`, 'a session by the beginning of its id']]);
}

async function carryOut(control: SessionControl, given: string, isJson: boolean): Promise<number> {
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, given);
    const accepted = await control.send(sessions, sessionId);
    createTerminal().print(isJson ? JSON.stringify({ sessionId, ...accepted }) : control.describe(sessionId, accepted));
    return 0;
  });
}
