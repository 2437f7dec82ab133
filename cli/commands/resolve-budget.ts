import { CliError } from '../exit';
import { toBudget, type BudgetLimits } from '../input/budget-option';
import { defineSessionCommand } from './session-command';
import { asCalled } from '../terminal/as-called';

export const resolveBudget = defineSessionCommand<{ raise?: BudgetLimits; end?: true }>({
  name: 'resolve-budget',
  summary: 'decide how a session goes on whose budget is used up',
  description:
    'Answers a session that waits because its budget is used up (`surefoot show` prints which limit): with higher ' +
    'limits it goes on where it stopped, with --end it ends and keeps the results of the finished steps.',
  examples: [
    ['surefoot resolve-budget 3f2a --raise cost=2.50', 'it goes on until that is used up'],
    ['surefoot resolve-budget 3f2a --end', 'it ends with what it has'],
  ],
  extend: (command) =>
    command
      .option('--raise <limits>', 'the new limits, such as tokens=40000,cost=1.50,steps=9,seconds=1200', toBudget)
      .option('--end', 'end the session with what is done'),
  prepare({ raise, end }) {
    if ((raise === undefined) === (end === undefined))
      throw new CliError('Decide with --raise <limits> or with --end.');
    const decision = raise === undefined ? ({ decision: 'end' } as const) : { decision: 'raise' as const, ...raise };
    const next = raise === undefined ? 'ends with what is done' : 'goes on with the new budget';
    return async (sessions, sessionId, options) => ({
      accepted: await sessions.resolveBudget(sessionId, decision, options),
      message: `Session ${sessionId} ${next}; ${asCalled(`watch ${sessionId}`)} follows it.`,
    });
  },
});
