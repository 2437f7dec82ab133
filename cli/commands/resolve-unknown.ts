import { Option, type Command } from 'commander';
import type { Ending } from '../exit';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT, withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

interface Options {
  happened: 'yes' | 'no';
  json?: true;
}

export function addResolveUnknown(program: Command, end: Ending): void {
  const command = program
    .command('resolve-unknown')
    .summary('say whether a command of unknown outcome happened')
    .description(
      'Answers a session that waits because nobody knows whether a click or key press took effect. Look for its effect ' +
        'first (`surefoot show` says what is known): with yes the session goes on from the page as it is, with no the ' +
        'command is run again.',
    )
    .argument(...SESSION_ARGUMENT)
    .argument('<command>', 'id of the command, as `surefoot show` tells it')
    .addOption(new Option('--happened <answer>', 'whether it took effect').choices(['yes', 'no']).makeOptionMandatory())
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, commandId: string, options: Options) => end(await resolve(id, commandId, options)));
  withExamples(command, [['surefoot resolve-unknown 3f2a 3f2a….7.0.2 --happened no', 'it did not: run it again']]);
}

async function resolve(given: string, commandId: string, { happened, json }: Options): Promise<number> {
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, given);
    const accepted = await sessions.resolveUnknown(sessionId, { commandId, happened: happened === 'yes' });
    const next = happened === 'yes' ? 'goes on from the page as it is' : 'runs the command again';
    const told = `Session ${sessionId} ${next}; \`surefoot watch ${sessionId}\` follows it.`;
    createTerminal().print(json === true ? JSON.stringify({ sessionId, ...accepted }) : told);
    return 0;
  });
}
