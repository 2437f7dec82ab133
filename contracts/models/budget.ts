import { z } from 'zod';
import { MoneySchema, trillionths } from './decimal';

/**
 * What a session may use; an absent part has no limit (or that of SUREFOOT_BUDGET). Steps and time are counted by
 * workflows/waits/budget.ts, tokens and cost by admit_model_call.sql. An extension of S1.3.
 */
const limits = {
  maxTokens: z.int().positive().meta({ description: 'Tokens in and out, of all models' }).optional(),
  maxCost: MoneySchema.meta({ description: 'US dollars, as text such as "0.50"' }).optional(),
  maxSteps: z.int().positive().meta({ description: 'Steps that may be begun' }).optional(),
  maxTimeMs: z.int().positive().meta({ description: 'Active time in milliseconds' }).optional(),
};
type LimitName = keyof typeof limits;
const LIMITS = ['maxTokens', 'maxCost', 'maxSteps', 'maxTimeMs'] as const satisfies readonly LimitName[];

const hasLimit = (given: Partial<Record<LimitName, unknown>>): boolean =>
  LIMITS.some((name) => given[name] !== undefined);
const NAME_A_LIMIT = 'name at least one of maxTokens, maxCost, maxSteps and maxTimeMs';

export const BudgetInputSchema = z
  .strictObject({
    ...limits,
    whenReached: z
      .enum(['pause', 'end'])
      .meta({ description: 'pause (the default): wait for a decision; end: fail with what is done by then' })
      .optional(),
  })
  .refine(hasLimit, NAME_A_LIMIT);

export const BudgetSchema = z.strictObject({ ...limits, whenReached: z.enum(['pause', 'end']) });
export type Budget = z.infer<typeof BudgetSchema>;

export function budgetOf({ whenReached = 'pause', ...given }: z.infer<typeof BudgetInputSchema>): Budget {
  return { ...given, whenReached };
}

/** The use of a part of the budget; money is text. */
const BudgetUseSchema = z.object({
  limit: z.enum(LIMITS),
  allowed: z.union([z.number(), z.string()]),
  used: z.union([z.number(), z.string()]),
});
export type BudgetUse = z.infer<typeof BudgetUseSchema>;

/** A session waits because a part of its budget is used up. */
export const WaitingForBudgetSchema = z.object({ pausedFor: z.literal('budget'), budget: BudgetUseSchema });

/** The decision of a person: a higher limit, or the end with what is done. */
export const ResolveBudgetRequestSchema = z
  .strictObject({ decision: z.enum(['raise', 'end']), ...limits })
  .refine((given) => given.decision === 'end' || hasLimit(given), `to raise it, ${NAME_A_LIMIT}`);
export type ResolveBudgetRequest = z.infer<typeof ResolveBudgetRequestSchema>;

/** The usage of a session that budgets are compared with. */
export type Used = Partial<Record<LimitName, number | string>>;

/** Percent at which a session gets a warning, and at which it makes no further call. */
const WARNED_AT = 80;
const SPENT_AT = 100;

/** The known parts that have a limit, in a fixed order. */
export function budgetUses(budget: Budget | undefined, used: Used): BudgetUse[] {
  return LIMITS.flatMap((limit) => {
    const [allowed, spent] = [budget?.[limit], used[limit]];
    return allowed === undefined || spent === undefined ? [] : [{ limit, allowed, used: spent }];
  });
}

export function percentOf({ allowed, used }: BudgetUse): number {
  return Number((trillionths(String(used)) * 100n) / trillionths(String(allowed)));
}

/** The parts that are due for a warning, used-up ones included. */
export function nearlySpent(uses: readonly BudgetUse[]): BudgetUse[] {
  return uses.filter((use) => percentOf(use) >= WARNED_AT);
}

export function spent(uses: readonly BudgetUse[]): BudgetUse | undefined {
  return uses.find((use) => percentOf(use) >= SPENT_AT);
}

/** The budget after a decision to raise it; parts that are not named stay. */
export function raiseBudget(budget: Budget, { decision: _decision, ...higher }: ResolveBudgetRequest): Budget {
  return { ...budget, ...Object.fromEntries(Object.entries(higher).filter(([, value]) => value !== undefined)) };
}

/** `20431 of 20000 tokens`. */
export function budgetUseText({ limit, allowed, used }: BudgetUse): string {
  switch (limit) {
    case 'maxTokens':
      return `${used} of ${allowed} tokens`;
    case 'maxCost':
      return `$${used} of $${allowed}`;
    case 'maxSteps':
      return `${used} of ${allowed} steps`;
    case 'maxTimeMs':
      return `${Math.round(Number(used) / 1000)} of ${Math.round(Number(allowed) / 1000)} s of active time`;
  }
}

export function budgetWarningText(use: BudgetUse): string {
  return `The session has used ${percentOf(use)} % of its budget: ${budgetUseText(use)}.`;
}

export function budgetSpentText(use: BudgetUse): string {
  return `The budget of the session is used up: ${budgetUseText(use)}.`;
}

/** The command that answers, to be pasted once a limit is chosen. */
export function budgetCommand(sessionId: string, { limit }: BudgetUse): string {
  const name = { maxTokens: 'tokens', maxCost: 'cost', maxSteps: 'steps', maxTimeMs: 'seconds' }[limit];
  return `surefoot resolve-budget ${sessionId} --raise ${name}=…|--end`;
}

/** Failure type of a call that was not made because the budget is used up; its details say which part. */
export const BUDGET_SPENT = 'BudgetSpent';
