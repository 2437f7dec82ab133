import type { Issue } from '../errors/issues';
import type { Budget } from './budget';
import { trillionths } from './decimal';

const NUMBERS = ['maxTokens', 'maxSteps', 'maxTimeMs'] as const;

/** Where a budget allows more than the most that an operator allows; `prefix` leads to the budget. */
export function budgetIssues(given: Partial<Budget>, most: Budget, prefix = ''): Issue[] {
  const issue = (name: string, allowed: number | string | undefined, got: number | string | undefined): Issue => ({
    path: `${prefix}${name}`,
    message: `the operator allows at most ${allowed} (SUREFOOT_MAX_BUDGET), got ${got ?? 'no limit'}`,
  });
  const issues = NUMBERS.filter((name) => most[name] !== undefined && (given[name] ?? Infinity) > most[name]).map(
    (name) => issue(name, most[name], given[name]),
  );
  const { maxCost } = most;
  if (maxCost !== undefined && (given.maxCost === undefined || trillionths(given.maxCost) > trillionths(maxCost)))
    issues.push(issue('maxCost', maxCost, given.maxCost));
  return issues;
}
