import type { Command } from 'commander';
import { toBudget, type BudgetLimits } from '../input/budget-option';
import { CliError, type Ending } from '../exit';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT, withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

interface Options {
  raise?: BudgetLimits;
  end?: true;
  json?: true;
}

export function addResolveBudget(program: Command, end: Ending): void {
  const command = program
    .command('resolve-budget')
    .summary('decide how a session goes on whose budget is used up')
    .description(
      'Answers a session that waits because it has used what its budget allows (`surefoot show` says what of it): with ' +
        'higher limits it goes on where it stopped, with --end it ends, and the results of the steps that are done are kept.',
    )
    .argument(...SESSION_ARGUMENT)
    .option('--raise <limits>', 'the new limits, such as tokens=40000,cost=1.50,steps=9,seconds=1200', toBudget)
    .option('--end', 'end the session with what is done')
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, options: Options) => end(await resolve(id, options)));
  withExamples(command, [
    ['surefoot resolve-budget 3f2a --raise cost=2.50', 'it goes on until that is used up'],
    ['surefoot resolve-budget 3f2a --end', 'it ends with what it has'],
  ]);
}

async function resolve(given: string, { raise, end, json }: Options): Promise<number> {
  if ((raise === undefined) === (end === undefined)) throw new CliError('Decide with --raise <limits> or with --end.');
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, given);
    const decision = raise === undefined ? ({ decision: 'end' } as const) : { decision: 'raise' as const, ...raise };
    const accepted = await sessions.resolveBudget(sessionId, decision);
    const next = raise === undefined ? 'ends with what is done' : 'goes on with the new budget';
    const told = `Session ${sessionId} ${next}; \`surefoot watch ${sessionId}\` follows it.`;
    createTerminal().print(json === true ? JSON.stringify({ sessionId, ...accepted }) : told);
    return 0;
  });
}
