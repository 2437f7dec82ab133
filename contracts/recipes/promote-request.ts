import { z } from 'zod';

/** Which version of a recipe is to be used, and who says so. */
export const PromoteRecipeSchema = z.strictObject({
  version: z.int().min(1),
  by: z.string().min(1).max(200).optional().meta({ description: 'Who agrees, for its record', example: 'ada' }),
});
export type PromoteRecipe = z.input<typeof PromoteRecipeSchema>;
