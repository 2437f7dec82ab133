import { InvalidArgumentError } from 'commander';
import type { Budget } from '../../contracts/models/budget';

export type BudgetLimits = Omit<Budget, 'whenReached'>;

/** Limits by their name on the command line; money stays text. */
const NAMES: Record<string, (text: string) => BudgetLimits> = {
  tokens: (text) => ({ maxTokens: Number(text) }),
  cost: (text) => ({ maxCost: text }),
  steps: (text) => ({ maxSteps: Number(text) }),
  seconds: (text) => ({ maxTimeMs: Number(text) * 1000 }),
};

/** Parses `tokens=20000,cost=0.50`; the schema of the request checks the amounts. */
export function parseBudget(given: string): BudgetLimits {
  const parts = given.split(',').map((part) => part.trim());
  return Object.assign({}, ...parts.map(toLimit)) as BudgetLimits;
}

function toLimit(part: string): BudgetLimits {
  const [, name = '', amount = ''] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(part) ?? [];
  const read = NAMES[name];
  if (read !== undefined) return read(amount);
  throw new InvalidArgumentError(`Expected limits such as tokens=20000,cost=0.50,steps=5,seconds=600, got "${part}".`);
}
