import { z } from 'zod';
import { VARIABLE_NAME } from '../commands/definitions/reading';
import { RecipeKeySchema, RecipeRoundSchema, RecipeSchema, type Recipe } from './recipe';

const FORMAT = 'surefoot-recipes';
const VERSION = 1;

/** What a file has of each recipe: what it does, not how often it was used. Whose it is, its import says. */
const FileRecipeSchema = z.strictObject({
  key: RecipeKeySchema.omit({ tenant: true }).extend({
    variables: z.array(
      z.string().regex(VARIABLE_NAME, 'a variable name has letters, digits and _, and starts with no digit'),
    ),
  }),
  rounds: z.array(RecipeRoundSchema).min(1),
  source: RecipeSchema.shape.source,
});

/** Recipes as `surefoot recipes export --as json` writes them: to be committed, and imported elsewhere. */
export const RecipeFileSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  recipes: z.array(FileRecipeSchema).min(1).max(1000),
});
export type RecipeFile = z.infer<typeof RecipeFileSchema>;

export function toRecipeFile(recipes: readonly Pick<Recipe, 'key' | 'rounds' | 'source'>[]): RecipeFile {
  return {
    format: FORMAT,
    version: VERSION,
    recipes: recipes.map(({ key: { tenant: _tenant, ...key }, rounds, source }) => ({ key, rounds, source })),
  };
}
