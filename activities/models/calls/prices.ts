import type { ModelUsage } from '../language-model';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { decimalText } from '../../../contracts/models/decimal';

/** List prices in US dollars for a million tokens, as decimals in text: money is never a float here. */
interface Price {
  input: string;
  cached: string;
  output: string;
  /** Above this many input tokens the whole call costs `long` instead. */
  long?: { over: number; input: string; cached: string; output: string } | undefined;
}

/** Changes with the table below; it is kept with every cost, so that an old figure can be told from a new one. */
const PRICE_TABLE = '2026-11-21';

const decimal = z.string().regex(/^\d+(\.\d{1,6})?$/, 'expected dollars for a million tokens, as text such as "0.30"');
const rates = { input: decimal, cached: decimal, output: decimal };
const OwnPricesSchema = z.record(
  z.string(),
  z.strictObject({ ...rates, long: z.strictObject({ over: z.int().positive(), ...rates }).optional() }),
);

const OwnTableSchema = z.strictObject({ version: z.string().min(1), prices: OwnPricesSchema });

/** By the model's own name: who it is asked through changes nothing. Vendors change prices; SUREFOOT_PRICES wins. */
const LIST: Record<string, Price> = {
  'gemini-2.5-pro': {
    input: '1.25',
    cached: '0.125',
    output: '10',
    long: { over: 200_000, input: '2.50', cached: '0.25', output: '15' },
  },
  'gemini-2.5-flash': { input: '0.30', cached: '0.03', output: '2.50' },
  'gemini-2.5-flash-lite': { input: '0.10', cached: '0.01', output: '0.40' },
  'gpt-4.1': { input: '2', cached: '0.50', output: '8' },
  'gpt-4.1-mini': { input: '0.40', cached: '0.10', output: '1.60' },
  'gpt-4o': { input: '2.50', cached: '1.25', output: '10' },
  'gpt-4o-mini': { input: '0.15', cached: '0.075', output: '0.60' },
  'claude-sonnet-4-5': { input: '3', cached: '0.30', output: '15' },
  'claude-haiku-4-5': { input: '1', cached: '0.10', output: '5' },
};

export interface Cost {
  /** US dollars as a decimal in text. */
  amount: string;
  priceTable: string;
}

/** Undefined for a model without a price: unknown is not free. */
export type Pricing = (model: string, usage: ModelUsage) => Cost | undefined;

/**
 * `own` is SUREFOOT_PRICES: further or other prices, by `provider/model` or by the model's own name, as JSON or as the
 * name of a file with it. A table of its own version, `{"version": "2026-12-01", "prices": {…}}`, is told with each cost.
 */
export function createPricing(own: string | undefined): Pricing {
  const { version, prices } = own === undefined || own === '' ? { version: '', prices: {} } : readOwn(own);
  return (model, usage) => {
    const ownName = model.slice(model.indexOf('/') + 1);
    const set = prices[model] ?? prices[ownName];
    const price = set ?? LIST[ownName];
    if (price === undefined) return undefined;
    const { inputTokens, outputTokens, cachedTokens } = usage;
    const { input, cached, output } = price.long !== undefined && inputTokens > price.long.over ? price.long : price;
    const sum =
      BigInt(Math.max(0, inputTokens - cachedTokens)) * millionths(input) +
      BigInt(cachedTokens) * millionths(cached) +
      BigInt(outputTokens) * millionths(output);
    return { amount: decimalText(sum), priceTable: set === undefined ? PRICE_TABLE : version };
  };
}

function readOwn(setting: string): { version: string; prices: Record<string, Price> } {
  try {
    const given: unknown = JSON.parse(setting.trimStart().startsWith('{') ? setting : readFileSync(setting, 'utf8'));
    const versioned = isVersioned(given) ? OwnTableSchema.parse(given) : undefined;
    return versioned ?? { version: 'SUREFOOT_PRICES', prices: OwnPricesSchema.parse(given) };
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue === undefined ? (error as Error).message : `${issue.path.join('.')}: ${issue.message}`;
    throw new Error(`SUREFOOT_PRICES is not usable: ${why}`, { cause: error });
  }
}

function isVersioned(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'version' in given && 'prices' in given;
}

/** Dollars for a million tokens are as many millionths of a dollar for one: a whole number of their millionths. */
function millionths(price: string): bigint {
  const [whole, part = ''] = price.split('.');
  return BigInt(`${whole}${part.padEnd(6, '0')}`);
}
