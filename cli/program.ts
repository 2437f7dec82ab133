import { Command } from 'commander';
import { printable } from '../contracts/printable';
import { SYSTEM_VERSION_TEXT } from '../contracts/modules/version';
import { api } from './commands/api';
import { approvals } from './commands/approvals';
import { batch } from './commands/batch';
import { check } from './commands/check';
import { completion } from './commands/completion';
import { dev } from './commands/dev';
import { doctor } from './commands/doctor';
import { erase } from './commands/erase';
import { evaluate } from './commands/eval';
import { files } from './commands/files';
import { fork } from './commands/fork';
import { keeper } from './commands/keeper';
import { list } from './commands/list';
import { mcp } from './commands/mcp';
import { messages } from './commands/messages';
import { models } from './commands/models';
import { ps } from './commands/ps';
import { effects } from './commands/effects';
import { profiles } from './commands/profiles';
import { recipes } from './commands/recipes';
import { report } from './commands/report';
import { run } from './commands/run';
import { schedule } from './commands/schedule';
import { show } from './commands/show';
import { start } from './commands/start';
import { upload } from './commands/upload';
import { watch } from './commands/watch';
import { worker } from './commands/worker';
import { addCommand, type CliCommand } from './context/define-command';
import type { OnExit } from './context/exit';
import { MESSAGE_COMMANDS } from './message-commands';

const ABOUT =
  'Browser agents that never lose their footing: sessions in plain English, run in a real Chromium as Temporal ' +
  'workflows. Kill any process at any moment and the session goes on.';

const EXIT_CODES = `
Without a command it is \`surefoot start\`.
Exit codes: 0 completed, 1 the session failed, 2 usage or set-up error,
3 --timeout is over, 4 a recipe did not fit (--replay-only), 130 interrupted; after 3 and 130 the session goes on.
SUREFOOT_DEBUG=1 shows the stack of an error.`;

/** Every command, in the order of `surefoot --help`. */
export const COMMAND_GROUPS: Record<string, readonly CliCommand[]> = {
  'The local stack:': [start, dev, ps, doctor, models],
  'Sessions:': [
    run,
    check,
    watch,
    list,
    show,
    report,
    files,
    upload,
    approvals,
    ...MESSAGE_COMMANDS,
    messages,
    fork,
    erase,
    recipes,
    effects,
    profiles,
    schedule,
    batch,
    evaluate,
  ],
  'Single processes:': [worker, api, keeper, mcp],
  'Your shell:': [completion],
};

export function createProgram(end: OnExit): Command {
  const program = new Command('surefoot')
    .description(ABOUT)
    .version(SYSTEM_VERSION_TEXT)
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      // An error of usage repeats words of the command line.
      outputError: (text, write) => write(printable(text.replace(/^error: /, 'surefoot: '))),
    })
    .exitOverride();

  for (const [group, commands] of Object.entries(COMMAND_GROUPS)) {
    program.commandsGroup(group);
    for (const command of commands) addCommand(program, command, end);
  }
  return program;
}
