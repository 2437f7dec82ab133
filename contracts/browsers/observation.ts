import { z } from 'zod';

/**
 * An extension of S1.3: what a model sees of a page. `maxCharacters` limits its text in a request; `picture` adds a
 * screenshot, plain or with the refs of its elements in boxes.
 */
export const ObservationConfigSchema = z.strictObject({
  maxCharacters: z.int().min(1000).max(200_000),
  picture: z.enum(['none', 'plain', 'boxes']),
});
export type ObservationConfig = z.infer<typeof ObservationConfigSchema>;

export const DEFAULT_OBSERVATION: ObservationConfig = { maxCharacters: 10_000, picture: 'none' };
