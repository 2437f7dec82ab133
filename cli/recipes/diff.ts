import { recipeDiff } from '../render/recipe-diff';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { findRecipe, RECIPE_ARGUMENT, toVersion, withRecipes } from './with-recipes';

export const diffRecipe: CliCommand = {
  name: 'diff',
  summary: 'show what changed between versions of a recipe',
  description:
    'Compares two versions of a recipe. Without numbers it compares the version that is used with the newest, such as a proposal; where that is the same, with the one before it.',
  examples: [
    ['surefoot recipes diff 6f1c', 'what the newest version changes'],
    ['surefoot recipes diff 6f1c 1 3', 'two versions'],
  ],
  define: (command, end) =>
    command
      .argument(...RECIPE_ARGUMENT)
      .argument('[version]', 'the earlier version', toVersion)
      .argument('[other]', 'the later version', toVersion)
      .action(async (id: string, version?: number, other?: number) => end(await diff(id, version, other))),
};

const TONES = { same: 'plain', added: 'good', removed: 'bad' } as const;

async function diff(id: string, version?: number, other?: number): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const { recipeId, version: used } = await findRecipe(recipes, id);
    const all = (await recipes.versions(recipeId)).map((each) => each.version);
    const later = other ?? all.at(-1) ?? used;
    const earlier = version ?? (used === later ? all.findLast((each) => each < later) : used);
    if (earlier === undefined || earlier === later)
      throw new CliError(`The recipe ${recipeId} has version ${later} alone: there is nothing to compare.`);
    const lines = recipeDiff(await recipes.get(recipeId, earlier), await recipes.get(recipeId, later));
    for (const { text, kind } of lines) terminal.print(text, TONES[kind]);
  });
}
