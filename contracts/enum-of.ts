import { z } from 'zod';

/**
 * The schema of an enum, named as its type: `enumOf<SessionStatus>(SessionStatus)`. Zod infers the union
 * of the members with `& {}`, which a comparison of types does not take for the enum.
 */
export function enumOf<T extends string>(members: Record<string, T>): z.ZodType<T, T> {
  return z.enum(members) as unknown as z.ZodType<T, T>;
}
