import { z } from 'zod';
import type { StandardError } from '../../contracts/errors/standard-error';

const DifferenceSchema = z.looseObject({
  guard: z.literal('approved-request'),
  differences: z.array(z.string()),
});
/** Details of the error of a command whose page would have sent what nobody has approved. */
export type DifferenceDetails = z.infer<typeof DifferenceSchema>;

/** What differs from what was approved, as sentences; undefined for any other failure. */
export function differencesOf(error: Pick<StandardError, 'details'> | undefined): string[] | undefined {
  return DifferenceSchema.safeParse(error?.details).data?.differences;
}
