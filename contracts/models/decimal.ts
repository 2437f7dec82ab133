import { z } from 'zod';

/** Money as people write it: dollars in text, never a float. */
export const MoneySchema = z
  .string()
  .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,12})?$/, 'expected dollars above 0 as text, such as "0.50"');

const PLACES = 12;

/** Decimals in text as whole numbers, so that sums and comparisons are exact. A price for one token has up to 12 places. */
export function trillionths(amount: string): bigint {
  const [whole, part = ''] = amount.split('.');
  return BigInt(`${whole}${part.padEnd(PLACES, '0')}`);
}

export function decimalText(amount: bigint): string {
  const digits = amount.toString().padStart(PLACES + 1, '0');
  const part = digits.slice(-PLACES).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${part}`;
}
