import { EFFECT_CLASS, type BrowserParameters } from '../../../contracts/commands/commands';
import type { RecipeCommand } from '../../../contracts/recipes/recipe';
import { isObject } from '../../../contracts/json';
import type { VariableRow } from '../../../store/sessions/variables';
import { containsText, readable } from '../../../rules/page-text/contains-text';

/** Members that say where and how, never what. */
const MEANS: ReadonlySet<string> = new Set([
  'selector',
  'toSelector',
  'key',
  'button',
  'to',
  'direction',
  'variableName',
]);
const NAME_IN_TEXT = /\$\{[^}]*\}/;

/** The values of a session's variables by name, of which none may stand in a recipe. */
export type Values = ReadonlyMap<string, string>;

/** The variables that a step can use: given ones, and those that steps before it have saved. */
export function variablesBefore(variables: readonly VariableRow[], step: number): VariableRow[] {
  return variables.filter(({ source, stepIndex }) => source === 'user_input' || (stepIndex ?? 0) < step);
}

/** Values of the environment are not known here: where a page shows one, its snapshot does not have it. */
export function valuesOf(variables: readonly Pick<VariableRow, 'name' | 'value'>[]): Values {
  return new Map(variables.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}

/**
 * Whether every text that a command gives to the page stands in the step, or is a variable by its name. What a model read
 * from the page and typed is data of that day: it is never given to a page again.
 */
export function isGivenByStep(
  instruction: string,
  { action, parameters }: Pick<RecipeCommand, 'action' | 'parameters'>,
) {
  if (EFFECT_CLASS[action] === 'pure') return true;
  const step = readable(instruction);
  return textsOf(parameters).every((text) =>
    text.split(NAME_IN_TEXT).every((piece) => step.includes(readable(piece).replace(/\/$/, ''))),
  );
}

function textsOf(parameters: BrowserParameters): string[] {
  return Object.entries(parameters).flatMap(([member, value]) => (MEANS.has(member) ? [] : leavesOf(value)));
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/** Whether a text holds the value of a variable from the beginning of a word on. The text of the step is the caller's own. */
export function holdsValue(text: string, values: Values, instruction: string): boolean {
  for (const value of values.values()) {
    if (value === '' || isAddress(value) || instruction.includes(value)) continue;
    if (text === value || (value.length > 2 && containsText(text, value, true))) return true;
  }
  return false;
}

/** Whether any text of it does. */
export function holdsValueSomewhere(part: unknown, values: Values, instruction: string): boolean {
  return leavesOf(part).some((text) => holdsValue(text, values, instruction));
}

/** The origin of a site is part of every key. */
function isAddress(value: string): boolean {
  return /^https?:\/\/[^/]+\/?$/.test(value);
}
