import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json';
import addFormats from 'ajv-formats';
import { isObject } from '../../contracts/json';
import type { JsonSchema, ResultRequest } from '../../contracts/results/result-request';
import { pathText, type Issue } from '../../contracts/errors/issues';
import type { StepInput } from '../../contracts/sessions/start-request';

/** What is wrong, and where: in a schema, or in a value. */
export interface SchemaProblem {
  path: (string | number)[];
  message: string;
}

let shared: Ajv2020 | undefined;

/** Made when it is first needed: that takes some milliseconds. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  shared = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, logger: false });
  addFormats(shared);
  shared.addMetaSchema(draft7);
  return shared;
}

/** What keeps a JSON schema (draft 2020-12, or 7 where it says so) from describing a result; empty where nothing does. */
export function resultSchemaProblems(schema: JsonSchema): SchemaProblem[] {
  try {
    if (ajv().validateSchema(schema) !== true)
      return onePerPlace((ajv().errors ?? []).filter(isOwnError).map((error) => toProblem(error, schema)));
    compile(schema);
  } catch (error) {
    return [{ path: [], message: `expected a valid JSON schema: ${(error as Error).message}` }];
  }
  return [];
}

/** A member that fits no branch of the meta schema has an error for each: the first says what is allowed. */
function onePerPlace(problems: readonly SchemaProblem[]): SchemaProblem[] {
  return [...new Map(problems.toReversed().map((problem) => [pathText(problem.path), problem])).values()].toReversed();
}

/** What is wrong with the results that a request wants, each with its path: `steps[0].result.schema.properties.price.type`. */
export function resultIssues({
  result,
  steps,
}: {
  result?: ResultRequest | undefined;
  steps: readonly StepInput[];
}): Issue[] {
  const issuesOf = (prefix: (string | number)[], wanted: ResultRequest | undefined): Issue[] =>
    wanted === undefined
      ? []
      : resultSchemaProblems(wanted.schema).map(({ path, message }) => ({
          path: pathText([...prefix, 'schema', ...path]),
          message,
        }));
  return [
    ...issuesOf(['result'], result),
    ...steps.flatMap((step, index) =>
      typeof step === 'object' && 'result' in step ? issuesOf(['steps', index, 'result'], step.result) : [],
    ),
  ];
}

/** What of a value does not fit a valid schema; empty where all does. */
export function valueProblems(schema: JsonSchema, value: unknown): SchemaProblem[] {
  const validate = compile(schema);
  if (validate(value) === true) return [];
  return (validate.errors ?? []).filter(isOwnError).map((error) => toProblem(error, value));
}

function compile(schema: JsonSchema): ValidateFunction {
  try {
    return ajv().compile(schema);
  } finally {
    // Ajv keeps every schema that it has compiled, and two may have the same $id.
    ajv().removeSchema(schema);
  }
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
export function toPath(pointer: string, of: unknown): (string | number)[] {
  let at = of;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => {
      const key = Array.isArray(at) ? Number(part) : part;
      at = Array.isArray(at) ? at[Number(part)] : isObject(at) ? at[part] : undefined;
      return key;
    });
}
