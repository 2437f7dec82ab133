import { isRecipeId } from '../../contracts/recipes/recipe';
import type { CliCommand } from '../context/define-command';
import { findRecipe, RECIPE_ARGUMENT, withRecipes } from './with-recipes';

export const forgetRecipe: CliCommand = {
  name: 'forget',
  summary: 'delete a recipe',
  description: 'Deletes a recipe with all its versions. The next session that has its step leaves another.',
  examples: [['surefoot recipes forget rcp_6f1c2a0d9b7e4c5f', 'one recipe']],
  define: (command, end) => command.argument(...RECIPE_ARGUMENT).action(async (id: string) => end(await forget(id))),
};

async function forget(id: string): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    // One that was changed by hand is not listed.
    const recipeId = isRecipeId(id) ? id : (await findRecipe(recipes, id)).recipeId;
    await recipes.forget(recipeId);
    terminal.print(`The recipe ${recipeId} is deleted.`);
  });
}
