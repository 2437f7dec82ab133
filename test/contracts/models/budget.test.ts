import fc from 'fast-check';
import {
  BudgetInputSchema,
  ResolveBudgetRequestSchema,
  budgetUses,
  nearlySpent,
  percentOf,
  raiseBudget,
  spent,
  budgetOf,
  budgetUseText,
} from '../../../contracts/models/budget';
import { decimalText, trillionths } from '../../../contracts/models/decimal';
import { resolveConfig } from '../../../contracts/sessions/resolve-config';
import { creditsOf } from '../../../contracts/models/usage';

test.each([
  [{}, 'name at least one of maxTokens, maxCost, maxSteps and maxTimeMs'],
  [{ whenReached: 'end' }, 'name at least one'],
  [{ maxTokens: 0 }, 'expected number to be >0'],
  [{ maxCost: '0' }, 'expected dollars above 0'],
  [{ maxCost: 0.5 }, 'expected string'],
  [{ maxCost: '1e3' }, 'expected dollars above 0 as text, such as "0.50"'],
  [{ maxTokens: 1, maxCalls: 1 }, 'maxCalls'],
])('a budget such as %j is refused', (given, message) => {
  const parsed = BudgetInputSchema.safeParse(given);
  expect(parsed.success ? 'accepted' : parsed.error.issues.map((issue) => issue.message).join()).toContain(message);
});

test('a budget pauses unless it says otherwise, and a session without one has no limit', () => {
  const budgetOf = (budget?: object) => {
    const resolved = resolveConfig(budget === undefined ? {} : { budget });
    return resolved.kind === 'valid' ? resolved.config.budget : resolved.issues;
  };
  expect(budgetOf()).toBeUndefined();
  expect(budgetOf({ maxTokens: 5 })).toEqual({ maxTokens: 5, whenReached: 'pause' });
  expect(budgetOf({ maxSteps: 2, whenReached: 'end' })).toEqual({ maxSteps: 2, whenReached: 'end' });
});

test('it is time to warn from 80 percent on, and used up at 100', () => {
  const budget = budgetOf({ maxTokens: 1000, maxCost: '0.10', maxTimeMs: 60_000 });
  const at = (maxTokens: number, maxCost: string) => {
    const uses = budgetUses(budget, { maxTokens, maxCost });
    return [nearlySpent(uses).map(({ limit }) => limit), spent(uses)?.limit];
  };
  expect(at(799, '0.0799')).toEqual([[], undefined]);
  expect(at(800, '0.08')).toEqual([['maxTokens', 'maxCost'], undefined]);
  expect(at(999, '0.0999999999')).toEqual([['maxTokens', 'maxCost'], undefined]);
  expect(at(1000, '0')).toEqual([['maxTokens'], 'maxTokens']);
  expect(at(1, '0.1')).toEqual([['maxCost'], 'maxCost']);
});

test('a decision raises what it names and leaves the rest', () => {
  const budget = budgetOf({ maxTokens: 10, maxSteps: 2, whenReached: 'pause' });
  expect(raiseBudget(budget, { decision: 'raise', maxTokens: 20 })).toEqual({ ...budget, maxTokens: 20 });
  for (const wrong of [{ decision: 'raise' }, { decision: 'wait' }, { decision: 'raise', maxTokens: -1 }, {}])
    expect(ResolveBudgetRequestSchema.safeParse(wrong).success).toBe(false);
  expect(ResolveBudgetRequestSchema.safeParse({ decision: 'end' }).success).toBe(true);
});

test('usage is formatted in its own unit', () => {
  const uses = budgetUses(budgetOf({ maxTokens: 9, maxCost: '0.50', maxSteps: 3, maxTimeMs: 60_000 }), {
    maxTokens: 4,
    maxCost: '0.12',
    maxSteps: 1,
    maxTimeMs: 30_400,
  });
  expect(uses.map(budgetUseText)).toEqual([
    '4 of 9 tokens',
    '$0.12 of $0.50',
    '1 of 3 steps',
    '30 of 60 s of active time',
  ]);
});

test('decimals and whole numbers of trillionths are the same amounts', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n }), (amount) => {
      expect(trillionths(decimalText(amount))).toBe(amount);
    }),
  );
  expect([decimalText(0n), decimalText(1n), decimalText(1_500_000_000_000n)]).toEqual(['0', '0.000000000001', '1.5']);
  expect(percentOf({ limit: 'maxCost', allowed: '0.000000000003', used: '0.000000000001' })).toBe(33);
});

test.each([
  ['0', '0'],
  ['0.00056', '0.056'],
  ['1.25', '125'],
  ['0.0000001', '0.00001'],
])('[S3.A9] $%s are %s credits, a plain decimal in text', (cost, credits) => {
  expect(creditsOf(cost)).toBe(credits);
});
