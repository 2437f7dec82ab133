import { z } from 'zod';

/**
 * The schema of an enum, named as its type: `enumOf<SessionStatus>(SessionStatus)`. What zod infers by itself is the
 * union of the members with `& {}`, which is not the same type as the enum to those who compare.
 */
export function enumOf<T extends string>(members: Record<string, T>): z.ZodType<T, T> {
  return z.enum(members) as unknown as z.ZodType<T, T>;
}
