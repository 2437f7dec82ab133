import { z } from 'zod';

/** What was asked of models: tokens, calls and money, the last as a decimal in text. Calls without a known price are counted apart. */
const UsageSchema = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  totalTokens: z.number(),
  /** US dollars, of the calls whose price is known. */
  cost: z.string(),
  unpricedCalls: z.number(),
  /** True where a provider told no usage for a call that was under way: counted from the characters then. */
  isEstimated: z.boolean(),
});

export const StepUsageSchema = UsageSchema.extend({ stepIndex: z.number() });
export type StepUsage = z.infer<typeof StepUsageSchema>;

/** What a session has used so far, and what each of its steps has. */
export const SessionUsageSchema = UsageSchema.extend({ currency: z.literal('USD'), steps: z.array(StepUsageSchema) });
export type SessionUsage = z.infer<typeof SessionUsageSchema>;

export function sessionUsage(steps: readonly StepUsage[]): SessionUsage {
  const sum = (member: 'calls' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'totalTokens' | 'unpricedCalls') =>
    steps.reduce((total, step) => total + step[member], 0);
  return {
    calls: sum('calls'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    totalTokens: sum('totalTokens'),
    cost: addDecimals(steps.map((step) => step.cost)),
    unpricedCalls: sum('unpricedCalls'),
    isEstimated: steps.some((step) => step.isEstimated),
    currency: 'USD',
    steps: [...steps],
  };
}

/** Sum of decimals in text, exact. */
export function addDecimals(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const sum = amounts.reduce((total, amount) => {
    const [whole, part = ''] = amount.split('.');
    return total + BigInt(`${whole}${part.padEnd(places, '0')}`);
  }, 0n);
  const digits = sum.toString().padStart(places + 1, '0');
  const part = digits.slice(digits.length - places).replace(/0+$/, '');
  return places === 0 || part === '' ? digits.slice(0, digits.length - places) : `${digits.slice(0, -places)}.${part}`;
}

/** `outputTokens` has everything that is billed as output, thoughts as well; `cachedTokens` are part of `inputTokens`. */
export interface ModelTokens {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/** Credits of a cost in US dollars, both decimals in text (S3.A9): a credit is a cent. */
export function creditsOf(cost: string): string {
  const [whole = '0', part = ''] = cost.split('.');
  const digits = `${whole}${part.padEnd(2, '0')}`;
  const at = whole.length + 2;
  return addDecimals([`${digits.slice(0, at)}.${digits.slice(at) || '0'}`]).replace(/^0+(?=\d)/, '');
}
