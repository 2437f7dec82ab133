import { Command } from 'commander';
import { SYSTEM_VERSION_TEXT } from '../contracts/modules/version';
import { addAddStep } from './commands/add-step';
import { addApprovals } from './commands/approvals';
import { addApi } from './commands/api';
import { addCancel } from './commands/cancel';
import { addCancelCall } from './commands/cancel-call';
import { addCancelTurn } from './commands/cancel-turn';
import { addClose } from './commands/close';
import { addApprove, addReject } from './commands/decide';
import { addDev } from './commands/dev';
import { addDoctor } from './commands/doctor';
import { addKeeper } from './commands/keeper';
import { addList } from './commands/list';
import { addPause } from './commands/pause';
import { addPs } from './commands/ps';
import { addResolveBudget } from './commands/resolve-budget';
import { addResolveUnknown } from './commands/resolve-unknown';
import { addResume } from './commands/resume';
import { addRun } from './commands/run';
import { addShow } from './commands/show';
import { addStart } from './commands/start';
import { addWatch } from './commands/watch';
import { addWorker } from './commands/worker';
import type { Ending } from './exit';

const ABOUT =
  'Browser agents that never lose their footing: sessions in plain English, run in a real Chromium as Temporal ' +
  'workflows. Kill any process at any moment and the session goes on.';

const EXIT_CODES = `
Exit codes: 0 completed, 1 the session failed, 2 usage or set-up error,
3 --timeout is over, 130 interrupted; after 3 and 130 the session goes on.
SUREFOOT_DEBUG=1 shows the stack of an error.`;

export function createProgram(end: Ending): Command {
  const program = new Command('surefoot')
    .description(ABOUT)
    .version(SYSTEM_VERSION_TEXT)
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'surefoot: ')) })
    .exitOverride();

  program.commandsGroup('The local stack:');
  addStart(program, end);
  addDev(program, end);
  addPs(program, end);
  addDoctor(program, end);
  program.commandsGroup('Sessions:');
  addRun(program, end);
  addWatch(program, end);
  addList(program, end);
  addShow(program, end);
  addPause(program, end);
  addResume(program, end);
  addCancel(program, end);
  addAddStep(program, end);
  addResolveUnknown(program, end);
  addApprovals(program, end);
  addApprove(program, end);
  addReject(program, end);
  addCancelCall(program, end);
  addCancelTurn(program, end);
  addClose(program, end);
  addResolveBudget(program, end);
  program.commandsGroup('Single processes:');
  addWorker(program, end);
  addApi(program, end);
  addKeeper(program, end);
  return program;
}
