import type { ExportFormat } from '../../../contracts/recipes/export-format';
import type { Recipe } from '../../../contracts/recipes/recipe';
import { toRecipeFile } from '../../../contracts/recipes/recipe-file';
import { ClientError } from '../../port/port';
import { toPlaywrightTest } from './playwright-test';
import { NotExportable } from './test-writer';
import { oneLine } from '../../../contracts/text';

const WRITERS: Record<ExportFormat, (recipes: readonly Recipe[]) => string> = {
  playwright: toPlaywrightTest,
  steps: toStepsFile,
  json: (recipes) => `${JSON.stringify(toRecipeFile(recipes), null, 2)}\n`,
};

/** The text of a file; throws ClientError where a recipe has no such form. */
export function exportRecipes(recipes: readonly Recipe[], format: ExportFormat): string {
  const task = recipes.find(({ key }) => key.task === true);
  if (task !== undefined && format !== 'json') {
    const why = 'is that of a task, which a model leads to its answer: it can only be exported as json';
    throw new ClientError('wrong-state', 'CM004', `Recipe ${task.recipeId} ${why}.`);
  }
  try {
    return WRITERS[format](recipes);
  } catch (error) {
    if (error instanceof NotExportable) throw new ClientError('wrong-state', 'CM004', error.message);
    throw error;
  }
}

/** The steps of recipes as `surefoot run --file` reads them: a step a line, or JSON where a step has several lines. */
function toStepsFile(recipes: readonly Pick<Recipe, 'key'>[]): string {
  const steps = recipes.map(({ key }) => key.instruction);
  if (steps.some((step) => /[\r\n]|^\s*[#{[]|^$/.test(step) || step.trim() !== step))
    return `${JSON.stringify({ steps }, null, 2)}\n`;
  const names = [...new Set(recipes.flatMap(({ key }) => key.variables))].sort();
  const head = names.length === 0 ? [] : [`# Variables and secrets: ${oneLine(names.join(', '))}`];
  return `${[...head, ...steps].join('\n')}\n`;
}
