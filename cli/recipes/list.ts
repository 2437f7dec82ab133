import { oneLine } from '../../contracts/text';
import type { CliCommand } from '../define-command';
import { toAge } from '../terminal/duration';
import { fitted } from '../../contracts/text';
import { toTable } from '../terminal/table';
import { withRecipes } from './with-recipes';

export const listRecipes: CliCommand = {
  name: 'list',
  summary: 'list recipes, the newest first',
  description: 'Lists recipes with how often each was used, healed and failed.',
  examples: [
    ['surefoot recipes list', 'all recipes'],
    ["surefoot recipes list --json | jq -r '.[].recipeId'", 'ids for a script'],
  ],
  define: (command, end) =>
    command
      .option('--json', 'print a JSON array')
      .action(async ({ json }: { json?: true }) => end(await list(json === true))),
};

async function list(isJson: boolean): Promise<number> {
  return await withRecipes(async (recipes, terminal) => {
    const found = await recipes.list();
    if (isJson) return terminal.print(JSON.stringify(found, null, 2));
    if (found.length === 0) return terminal.print('There are no recipes yet: a session that ends well leaves them.');
    const [header = '', ...rows] = toTable(
      ['ID', 'VERSION', 'STATUS', 'USED', 'HEALED', 'FAILED', 'AGE', 'STEP'],
      found.map(({ recipeId, version, status, counts: { used, healed, failed }, createdAt, key }) => {
        const age = toAge(Date.now() - createdAt.getTime());
        return [
          recipeId,
          String(version),
          status,
          String(used),
          String(healed),
          String(failed),
          age,
          oneLine(key.instruction),
        ];
      }),
    );
    const width = process.stdout.isTTY ? terminal.columns : Infinity;
    terminal.print(fitted(header, width), 'strong');
    for (const row of rows) terminal.print(fitted(row, width));
  });
}
