import { oneLine } from '../../contracts/text';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { toAge } from '../terminal/duration';
import { printTable } from '../terminal/print-table';
import { withRecipes } from './with-recipes';

interface Options {
  tenant?: string;
  json?: true;
}

export const listRecipes: CliCommand = {
  name: 'list',
  summary: 'list recipes, the newest first',
  description: 'Lists recipes with how often each was used, healed and failed, and who let it be used.',
  examples: [
    ['surefoot recipes list', 'all recipes'],
    ["surefoot recipes list --json | jq -r '.[].recipeId'", 'ids for a script'],
  ],
  define: (command, end) =>
    command
      .option('--tenant <name>', 'only recipes of this tenant')
      .option(...JSON_OPTION)
      .action(async (options: Options) => end(await list(options))),
};

async function list({ tenant, json }: Options): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const found = await recipes.list(tenant);
    if (json === true) return terminal.printJson(found, 2);
    if (found.length === 0) return terminal.print('There are no recipes yet: a session that ends well leaves them.');
    printTable(
      terminal,
      ['ID', 'TENANT', 'VERSION', 'STATUS', 'BY', 'USED', 'HEALED', 'FAILED', 'AGE', 'STEP OR TASK'],
      found.map(({ recipeId, version, status, promotions, counts: { used, healed, failed }, createdAt, key }) => {
        const age = toAge(Date.now() - createdAt.getTime());
        const promotion = promotions.at(-1);
        return [
          recipeId,
          key.tenant,
          String(version),
          status,
          promotion === undefined ? '-' : promotion.by === 'session' ? 'session' : (promotion.who ?? 'person'),
          String(used),
          String(healed),
          String(failed),
          age,
          oneLine(key.instruction),
        ];
      }),
    );
  });
}
