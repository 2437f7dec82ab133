import { CliError } from '../context/exit';
import { parseBudget, type BudgetLimits } from '../input/budget-option';
import { defineMessageCommand } from './message-command';

export const resolveBudget = defineMessageCommand<'resolveBudget', { raise?: BudgetLimits; end?: true }>(
  'resolveBudget',
  {
    examples: [
      ['surefoot resolve-budget 3f2a --raise cost=2.50', 'it goes on until that is used up'],
      ['surefoot resolve-budget 3f2a --end', 'it ends with what it has'],
    ],
    extend: (command) =>
      command
        .option('--raise <limits>', 'the new limits, such as tokens=40000,cost=1.50,steps=9,seconds=1200', parseBudget)
        .option('--end', 'end the session with what is done'),
    read({ raise, end }) {
      if ((raise === undefined) === (end === undefined))
        throw new CliError('Decide with --raise <limits> or with --end.');
      return raise === undefined ? { decision: 'end' } : { decision: 'raise', ...raise };
    },
  },
);
