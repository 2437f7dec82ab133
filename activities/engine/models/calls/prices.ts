import type { ModelUsage } from '../../../../contracts/model-port/language-model';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { decimalText } from '../../../../contracts/models/decimal';

/** List prices in US dollars for a million tokens, as decimal text, so that money is never a float. */
interface Price {
  input: string;
  cached: string;
  output: string;
  /** Above this many input tokens the whole call costs `long` instead. */
  long?: { over: number; input: string; cached: string; output: string } | undefined;
}

/** The version of the table below. It is stored with every cost. */
const PRICE_TABLE = '2026-11-21';

const decimal = z.string().regex(/^\d+(\.\d{1,6})?$/, 'expected dollars for a million tokens, as text such as "0.30"');
const rates = { input: decimal, cached: decimal, output: decimal };
const CustomPricesSchema = z.record(
  z.string(),
  z.strictObject({ ...rates, long: z.strictObject({ over: z.int().positive(), ...rates }).optional() }),
);

const CustomTableSchema = z.strictObject({ version: z.string().min(1), prices: CustomPricesSchema });

/** By the model's own name, whichever vendor serves it. SUREFOOT_PRICES overrides these prices. */
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

/** Computes the cost of a call; undefined for a model whose price is not known. */
export type Pricing = (model: string, usage: ModelUsage) => Cost | undefined;

/**
 * Creates the pricing. `custom` is SUREFOOT_PRICES: prices by `vendor/model` or by the model's own name, as JSON or as the
 * name of a JSON file. The version of a table `{"version": "2026-12-01", "prices": {…}}` is stored with each cost.
 */
export function createPricing(custom: string | undefined): Pricing {
  const { version, prices } = custom === undefined || custom === '' ? { version: '', prices: {} } : readCustom(custom);
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

function readCustom(setting: string): { version: string; prices: Record<string, Price> } {
  try {
    const given: unknown = JSON.parse(setting.trimStart().startsWith('{') ? setting : readFileSync(setting, 'utf8'));
    const versioned = isVersioned(given) ? CustomTableSchema.parse(given) : undefined;
    return versioned ?? { version: 'SUREFOOT_PRICES', prices: CustomPricesSchema.parse(given) };
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue === undefined ? (error as Error).message : `${issue.path.join('.')}: ${issue.message}`;
    throw new Error(`SUREFOOT_PRICES is not usable: ${why}`, { cause: error });
  }
}

function isVersioned(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'version' in given && 'prices' in given;
}

/** Converts dollars for a million tokens to millionths of a millionth of a dollar for one token, a whole number. */
function millionths(price: string): bigint {
  const [whole, part = ''] = price.split('.');
  return BigInt(`${whole}${part.padEnd(6, '0')}`);
}
