import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { VARIABLE_NAME } from '../../contracts/commands/definitions/reading';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { collectPair } from '../input/options';
import { withRecipes } from './with-recipes';

interface Options {
  variable: [name: string, value: string][];
  secret: [name: string, env: string][];
  tenant?: string;
}

export const importRecipes: CliCommand = {
  name: 'import',
  summary: 'read recipes from a recording or an exported file',
  description:
    'Reads a recording of `playwright codegen` (its test in TypeScript), or JSON of `recipes export`. Each test, or each test.step of it, becomes the proposal of a recipe; `recipes promote` lets it be used.',
  examples: [
    ['surefoot recipes import recipes.json', 'what was exported elsewhere'],
    [
      'surefoot recipes import login.spec.ts --variable shop=http://127.0.0.1:4000 --secret password=SHOP_PASSWORD',
      'a recording; the recipe has names in place of these values',
    ],
  ],
  define: (command, end) =>
    command
      .argument('<file>', 'a recording, or exported recipes')
      .option(
        '--variable <name=value>',
        'this value of the recording becomes a variable; may be repeated',
        collectPair,
        [],
      )
      .option('--secret <name=ENV>', 'the same, the value being in a variable of your environment', collectPair, [])
      .option('--tenant <name>', 'whose recipes they become')
      .action(async (file: string, options: Options) => end(await read(file, options))),
};

async function read(file: string, { variable, secret, tenant }: Options): Promise<number> {
  const values = new Map([...variable, ...secret.map(fromEnvironment)]);
  const wrong = [...values.keys()].find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined)
    throw new CliError(
      `A variable can't be called ${wrong}: names have letters, digits and _, and start with no digit.`,
    );
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} can't be read: ${oneLineOf(error)}.`);
  });
  return await withRecipes(async (recipes, terminal) => {
    const imported = await recipes.import(text, { values, from: basename(file), tenant });
    for (const { recipe, isNew } of imported) {
      const what = isNew ? `version ${recipe.version}, ${recipe.status}` : `there already as version ${recipe.version}`;
      terminal.print(`${recipe.recipeId}: ${what}: ${recipe.key.instruction}`);
    }
  });
}

function fromEnvironment([name, env]: [string, string]): [string, string] {
  const value = process.env[env];
  if (value === undefined || value === '')
    throw new CliError(`The secret ${name} is read from ${env}, which is not set. Set it to the value that was typed.`);
  return [name, value];
}
