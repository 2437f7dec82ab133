import { isObject } from '../../../contracts/json';
import { isTooDeep, TOO_DEEP } from '../../../contracts/json-depth';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';
import { RecipeFileSchema, type RecipeFile } from '../../../contracts/recipes/recipe-file';
import { readRecording, type RecordedStep } from './recording';
import { NotTaken } from './refusal';
import { toRecipes } from './to-recipes';

export interface ImportOptions {
  /** Values of a recording that become variables, by their names. */
  values: ReadonlyMap<string, string>;
  /** Where the text comes from: a file. */
  from: string;
}

/** The recipes of a file: JSON of `recipes export`, or else a recording of `playwright codegen`. Throws NotTaken. */
export async function readRecipes(text: string, { values, from }: ImportOptions): Promise<RecipeFile['recipes']> {
  const content = text.replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(content)) return fromJson(content, from);
  const steps = stepsOf(content, values, from);
  const used = [...JSON.stringify(steps).matchAll(/\$\{([a-zA-Z_]\w*)\}/g)].map(([, name]) => name!);
  return toRecipes(steps, [...new Set([...values.keys(), ...used])], from);
}

/** Code may be nested in more ways than by brackets, so what is too deep shows where its reader ends the stack. */
function stepsOf(content: string, values: ReadonlyMap<string, string>, from: string): RecordedStep[] {
  try {
    return readRecording(content, values, from);
  } catch (error) {
    if (error instanceof RangeError) throw new NotTaken(`${from} can't be imported: its code is nested too deep.`);
    throw error;
  }
}

function fromJson(content: string, from: string): RecipeFile['recipes'] {
  if (isTooDeep(content)) throw new NotTaken(`${from} can't be imported: it ${TOO_DEEP}.`);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new NotTaken(`${from} is not valid JSON: ${(error as Error).message}.`);
  }
  const { format, version } = isObject(value) ? value : {};
  if (format !== 'surefoot-recipes')
    throw new NotTaken(`${from} has no recipes: expected a file of surefoot recipes export --as json.`);
  if (version !== 1)
    throw new NotTaken(`${from} has version ${JSON.stringify(version)} of the format; this is version 1.`);
  const parsed = RecipeFileSchema.safeParse(value);
  if (!parsed.success) throw new NotTaken(`${from} can't be imported: ${issuesText(issuesOf(parsed.error))}.`);
  return parsed.data.recipes;
}
