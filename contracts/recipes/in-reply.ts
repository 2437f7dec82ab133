import { z } from 'zod';

/** As the model of a reply that a recipe has given; no vendor has this name. */
export const RECIPE_MODEL = 'recipe';

/** In the context of a reply that a recipe has given. */
export const ReplayedSchema = z.object({
  recipeId: z.string(),
  version: z.int(),
  /** The round that it runs, waits for, or has ended with. */
  round: z.int().min(0),
  /** It runs no command of the recipe: it gives the page time to show what the round begins or ends with. */
  isWaiting: z.literal(true).optional(),
  /** An element was found by its other marks. */
  isHealed: z.literal(true).optional(),
});
export type Replayed = z.infer<typeof ReplayedSchema>;

const MEMBER = 'replay';

export function inContext(replayed: Replayed): Record<string, unknown> {
  return { [MEMBER]: replayed };
}

/** Undefined for the reply of a model. */
export function replayedIn(context: Record<string, unknown> | undefined): Replayed | undefined {
  return ReplayedSchema.safeParse(context?.[MEMBER]).data;
}
