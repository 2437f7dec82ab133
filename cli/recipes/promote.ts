import { userInfo } from 'node:os';
import type { CliCommand } from '../context/define-command';
import { findRecipe, RECIPE_ARGUMENT, toVersion, withRecipes } from './with-recipes';

export const promoteRecipe: CliCommand = {
  name: 'promote',
  summary: 'let a version of a recipe be used',
  description:
    'Makes a version of a recipe the one that is used: a proposal, an earlier version, or one that was retired. Without --of it is the newest. Your user name is noted with it.',
  examples: [
    ['surefoot recipes promote 6f1c', 'agree with the newest version'],
    ['surefoot recipes promote 6f1c --of 1', 'go back to an earlier one'],
  ],
  define: (command, end) =>
    command
      .argument(...RECIPE_ARGUMENT)
      .option('--of <version>', 'this version instead of the newest', toVersion)
      .action(async (id: string, { of }: { of?: number }) => end(await promote(id, of))),
};

async function promote(id: string, version: number | undefined): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const { recipeId } = await findRecipe(recipes, id);
    const newest = (await recipes.versions(recipeId)).at(-1);
    const request = { version: version ?? newest?.version ?? 1, by: userInfo().username };
    const promoted = await recipes.promote(recipeId, request);
    terminal.print(`Sessions use version ${promoted.version} of ${recipeId} now.`);
  });
}
