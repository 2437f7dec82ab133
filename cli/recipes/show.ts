import { JSON_OPTION } from '../input/options';
import { recipeLines } from '../render/recipe-text';
import type { CliCommand } from '../context/define-command';
import { findRecipe, RECIPE_ARGUMENT, toVersion, withRecipes } from './with-recipes';

interface Options {
  version?: number;
  json?: true;
}

export const showRecipe: CliCommand = {
  name: 'show',
  summary: 'show what a recipe does and expects',
  description: 'Shows the commands of a recipe, by which marks it finds their elements, and what has to follow.',
  examples: [
    ['surefoot recipes show rcp_6f1c2a0d9b7e4c5f', 'the version that is used'],
    ['surefoot recipes show 6f1c --of 1 --json', 'an earlier one, for a program'],
  ],
  define: (command, end) =>
    command
      .argument(...RECIPE_ARGUMENT)
      .option('--of <version>', 'this version instead of the one that is used', toVersion)
      .option(...JSON_OPTION)
      .action(async (id: string, { of, json }: { of?: number; json?: true }) =>
        end(await show(id, { ...(of === undefined ? {} : { version: of }), ...(json === undefined ? {} : { json }) })),
      ),
};

async function show(id: string, { version, json }: Options): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const { recipeId } = await findRecipe(recipes, id);
    const recipe = await recipes.get(recipeId, version);
    if (json === true) return terminal.printJson(recipe, 2);
    for (const line of recipeLines(recipe)) terminal.print(line);
  });
}
