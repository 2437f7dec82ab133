import type { ErrorObject, ValidateFunction } from 'ajv';
import { isObject, ownMember } from '../../contracts/json';
import { pathText } from '../../contracts/errors/issues';
import type { JsonSchema } from '../../contracts/results/result-request';
import { compileSchema, metaErrors, type Draft } from './compile';
import { PatternRefused, toLinearPattern } from './linear-pattern';
import { membersOf, TooManyMembers } from './schema-leaves';
import type { SchemaProblem } from './schema-problem';

/** More problems of one value are not listed. */
const MOST_PROBLEMS = 1000;
const MOST_COMPILED = 50;
/** Values in a schema, not schemas: what is called `pattern` in them is no pattern. */
const VALUES = ['const', 'enum', 'default', 'examples'];

/** By draft and text, the newest last. */
const compiled = new Map<string, ValidateFunction>();

/** What keeps a JSON schema (draft 2020-12, or 7 where it says so) from describing a result; empty where nothing does. */
export function resultProblems(schema: JsonSchema): SchemaProblem[] {
  try {
    const wrong = metaErrors(schema);
    if (wrong.length > 0) return onePerPlace(wrong.filter(isOwnError).map((error) => toProblem(error, schema)));
    const patterns = patternProblems(schema);
    if (patterns.length > 0) return patterns;
    for (const list of membersOf(schema).lists) membersOf(list.items, schema);
    compile(schema, '2020-12');
  } catch (error) {
    if (error instanceof TooManyMembers) return [{ path: [], message: error.message }];
    return [{ path: [], message: `expected a valid JSON schema: ${reasonOf(error)}` }];
  }
  return [];
}

/** Why a schema can't be compiled, or a value can't be checked by it. */
export function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'its references go round in a circle';
  const { message } = error as Error;
  return message.startsWith("can't resolve reference")
    ? `${message}; nothing is fetched: put what it names into $defs`
    : message;
}

/** The patterns of a schema that can't be matched in linear time, each with its path. */
export function patternProblems(schema: unknown, path: (string | number)[] = []): SchemaProblem[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => patternProblems(each, [...path, index]));
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, member]) => {
    const at = [...path, name];
    if (VALUES.includes(name)) return [];
    if (name === 'pattern' && typeof member === 'string') return refusalOf(member, at);
    const named = name === 'patternProperties' && isObject(member) ? Object.keys(member) : [];
    return [...named.flatMap((each) => refusalOf(each, [...at, each])), ...patternProblems(member, at)];
  });
}

/** What of a value does not fit a schema; empty where all does. Throws where the schema can't be compiled. */
export function valueProblems(schema: JsonSchema, value: unknown, draft: Draft): SchemaProblem[] {
  const validate = compile(schema, draft);
  if (validate(value) === true) return [];
  const own = (validate.errors ?? []).filter(isOwnError);
  return own.slice(0, MOST_PROBLEMS).map((error) => toProblem(error, value));
}

function compile(schema: JsonSchema, draft: Draft): ValidateFunction {
  const key = `${draft} ${JSON.stringify(schema)}`;
  const validate = compiled.get(key) ?? compileSchema(schema, draft);
  compiled.delete(key);
  compiled.set(key, validate);
  const [oldest] = compiled.keys();
  if (compiled.size > MOST_COMPILED) compiled.delete(oldest!);
  return validate;
}

function refusalOf(pattern: string, path: (string | number)[]): SchemaProblem[] {
  try {
    toLinearPattern(pattern);
    return [];
  } catch (error) {
    if (error instanceof PatternRefused) return [{ path, message: error.message }];
    throw error;
  }
}

/** A member that fits no branch of the meta schema has an error for each: the first says what is allowed. */
function onePerPlace(problems: readonly SchemaProblem[]): SchemaProblem[] {
  return [...new Map(problems.toReversed().map((problem) => [pathText(problem.path), problem])).values()].toReversed();
}

/** Of an `anyOf` that none of its branches fits, one error is enough; meta schemas are made of these. */
function isOwnError({ keyword }: ErrorObject): boolean {
  return !['if', 'allOf', '$dynamicRef', '$ref'].includes(keyword);
}

function toProblem(
  { instancePath, keyword, params, message = 'is not valid' }: ErrorObject,
  of: unknown,
): SchemaProblem {
  const path = toPath(instancePath, of);
  if (keyword === 'required') return { path: [...path, String(params['missingProperty'])], message: 'is missing' };
  if (keyword === 'additionalProperties')
    return { path: [...path, String(params['additionalProperty'])], message: 'is no property of the schema' };
  const allowed = Array.isArray(params['allowedValues']) ? `: ${params['allowedValues'].join(', ')}` : '';
  return { path, message: `${message}${allowed}` };
}

/** The members of a JSON pointer; those of arrays are numbers. */
function toPath(pointer: string, of: unknown): (string | number)[] {
  let at = of;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => {
      const key = Array.isArray(at) ? Number(part) : part;
      at = Array.isArray(at) ? at[Number(part)] : isObject(at) ? ownMember(at, part) : undefined;
      return key;
    });
}
