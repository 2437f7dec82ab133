import type { Recipe } from '../../../contracts/recipes/recipe';
import { oneLine } from '../../../contracts/text';

/** The steps of recipes as `surefoot run --file` reads them: a step a line, or JSON where a step has several lines. */
export function toStepsFile(recipes: readonly Pick<Recipe, 'key'>[]): string {
  const steps = recipes.map(({ key }) => key.instruction);
  if (steps.some((step) => /[\r\n]|^\s*[#{[]|^$/.test(step) || step.trim() !== step))
    return `${JSON.stringify({ steps }, null, 2)}\n`;
  const names = [...new Set(recipes.flatMap(({ key }) => key.variables))].sort();
  const head = names.length === 0 ? [] : [`# Variables and secrets: ${oneLine(names.join(', '))}`];
  return `${[...head, ...steps].join('\n')}\n`;
}
