import { z } from 'zod';

/** Money as decimal text in dollars, never a float. */
export const MoneySchema = z
  .string()
  .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,12})?$/, 'expected dollars above 0 as text, such as "0.50"');

const PLACES = 12;

/** Converts decimal text to a whole number, so that sums and comparisons are exact. The price of a token has up to 12 places. */
export function trillionths(amount: string): bigint {
  const [whole, part = ''] = amount.split('.');
  return BigInt(`${whole}${part.padEnd(PLACES, '0')}`);
}

export function decimalText(amount: bigint): string {
  const digits = amount.toString().padStart(PLACES + 1, '0');
  const part = digits.slice(-PLACES).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${part}`;
}
