import { z } from 'zod';
import { decimalText, trillionths } from './decimal';

/** The use of models: calls, tokens and cost, which is decimal text. Calls without a known price are counted separately. */
const UsageSchema = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  totalTokens: z.number(),
  /** US dollars, of the calls whose price is known. */
  cost: z.string(),
  unpricedCalls: z.number(),
  /** True where a provider reported no usage for a call: it is estimated from the characters. */
  isEstimated: z.boolean(),
});

export const StepUsageSchema = UsageSchema.extend({ stepIndex: z.number() });
export type StepUsage = z.infer<typeof StepUsageSchema>;

/** One call of a model on the bill of a session. */
export const ModelCallInfoSchema = z.object({
  callId: z.string(),
  stepIndex: z.number(),
  turn: z.number(),
  model: z.string(),
  outcome: z.string().meta({ description: '`replied`, what it failed with, or `lost` while nobody has seen its end' }),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  isEstimated: z.boolean(),
  cost: z.union([z.string(), z.null()]).meta({ description: 'US dollars; null where no price is known' }),
  priceTable: z.union([z.string(), z.null()]).meta({ description: 'Version of the prices that the cost comes from' }),
  durationMs: z.number(),
  at: z.coerce.date(),
});
export type ModelCallInfo = z.infer<typeof ModelCallInfoSchema>;

/** The usage of a session and of each of its steps. */
export const SessionUsageSchema = UsageSchema.extend({
  currency: z.literal('USD'),
  credits: z.string().meta({ description: 'S3.6.5: what the cost is in credits, 100 to the dollar' }),
  steps: z.array(StepUsageSchema),
});
export type SessionUsage = z.infer<typeof SessionUsageSchema>;

export function sessionUsage(steps: readonly StepUsage[]): SessionUsage {
  const sum = (member: 'calls' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'totalTokens' | 'unpricedCalls') =>
    steps.reduce((total, step) => total + step[member], 0);
  const cost = addDecimals(steps.map((step) => step.cost));
  return {
    calls: sum('calls'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    totalTokens: sum('totalTokens'),
    cost,
    unpricedCalls: sum('unpricedCalls'),
    isEstimated: steps.some((step) => step.isEstimated),
    currency: 'USD',
    credits: creditsOf(cost),
    steps: [...steps],
  };
}

/** What a session has used of models so far, for lists: `cost` in US dollars, absent where no call has a known price. */
export interface Spent {
  tokens: number;
  cost?: number;
}

/** Sum of decimals in text, exact. */
export function addDecimals(amounts: readonly string[]): string {
  return decimalText(amounts.reduce((sum, amount) => sum + trillionths(amount), 0n));
}

/** Credits of a cost in US dollars, both decimals in text (S3.A9): a credit is a cent. */
export function creditsOf(cost: string): string {
  return decimalText(trillionths(cost) * 100n);
}

/** `outputTokens` includes thoughts and all else that is billed as output; `cachedTokens` are part of `inputTokens`. */
export interface ModelTokens {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}
