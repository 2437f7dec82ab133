import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { ExportFormatSchema, type ExportFormat } from '../../contracts/recipes/export-format';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { findRecipe, withRecipes } from './with-recipes';

interface Options {
  as: ExportFormat;
  out?: string;
}

export const exportRecipe: CliCommand = {
  name: 'export',
  summary: 'write recipes as a Playwright test, as steps, or as a file to import',
  description:
    'Writes recipes, in the order in which you name them, as a test for `npx playwright test`, as steps for `surefoot run --file`, or as JSON that `recipes import` reads. Values of variables are in none of them: a test takes them from the environment, the variable shop from TEST_SHOP.',
  examples: [
    ['surefoot recipes export 6f1c 80ab --as playwright --out shop.spec.ts', 'two steps as one test'],
    ['TEST_SHOP=http://127.0.0.1:4000 npx playwright test shop.spec.ts', 'run it without Surefoot'],
    ['surefoot recipes export 6f1c --as json --out recipes.json', 'a file to commit'],
  ],
  define: (command, end) =>
    command
      .argument('<id...>', 'ids of recipes, or their beginnings, in the order of their steps')
      .addOption(new Option('--as <form>', 'what to write').choices(ExportFormatSchema.options).makeOptionMandatory())
      .option('--out <file>', 'write to this file instead of standard output')
      .action(async (ids: string[], options: Options) => end(await write(ids, options))),
};

async function write(ids: readonly string[], { as, out }: Options): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const found = [];
    for (const id of ids) found.push((await findRecipe(recipes, id)).recipeId);
    const text = await recipes.export(found, as);
    if (out === undefined) return terminal.printFile(text.trimEnd());
    await writeFile(out, text).catch((error: unknown) => {
      throw new CliError(`${out} can't be written: ${oneLineOf(error)}.`);
    });
    terminal.print(`${out} has ${found.length} ${found.length === 1 ? 'recipe' : 'recipes'}.`);
  });
}
