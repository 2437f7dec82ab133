import { recipeDiff } from '../render/recipe-diff';
import type { CliCommand } from '../define-command';
import { CliError } from '../exit';
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
    const used = await findRecipe(recipes, id);
    const all = await recipes.versions(used.recipeId);
    const newest = all.at(-1)!;
    const later = other === undefined ? newest : await recipes.get(used.recipeId, other);
    const before = all.findLast((each) => each.version < later.version);
    const earlier =
      version === undefined
        ? used.version === later.version
          ? before
          : used
        : await recipes.get(used.recipeId, version);
    if (earlier === undefined || earlier.version === later.version)
      throw new CliError(
        `The recipe ${used.recipeId} has version ${later.version} alone: there is nothing to compare.`,
      );
    for (const { text, kind } of recipeDiff(earlier, later)) terminal.print(text, TONES[kind]);
  });
}
