import { InvalidArgumentError } from 'commander';
import type { Recipes } from '../../service/recipes/recipes';
import type { Recipe } from '../../contracts/recipes/recipe';
import { CliError } from '../context/exit';
import { withServices } from '../context/services';
import { createTerminal, type Terminal } from '../terminal/terminal';
import { asCalled } from '../terminal/as-called';

export const RECIPE_ARGUMENT = ['<id>', 'the id of a recipe, or its beginning'] as const;

/** Connects to the recipes of the database and runs the work; resolves to the exit code of success. */
export async function withRecipes(work: (recipes: Recipes, terminal: Terminal) => Promise<void>): Promise<number> {
  return await withServices('reading', async ({ store }) => {
    const { createRecipes } = await import('../../service/recipes/recipes.js');
    await work(createRecipes({ store }), createTerminal());
    return 0;
  });
}

/** Finds the only recipe whose id begins so, with or without `rcp_`. */
export async function findRecipe(recipes: Recipes, text: string): Promise<Recipe> {
  const prefix = text.startsWith('rcp_') ? text : `rcp_${text}`;
  const found = (await recipes.list()).filter(({ recipeId }) => recipeId.startsWith(prefix));
  if (found.length > 1) throw new CliError(`${found.length} recipes begin with ${text}. Give more of the id.`);
  if (found[0] === undefined)
    throw new CliError(`There is no recipe ${text}; ${asCalled('recipes list')} lists all recipes.`);
  return found[0];
}

export function toVersion(text: string): number {
  const version = Number(text);
  if (Number.isInteger(version) && version > 0) return version;
  throw new InvalidArgumentError('Expected the number of a version, such as 2.');
}
