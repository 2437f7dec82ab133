import { pathText, type Issue } from '../../contracts/errors/issues';
import type { JsonSchema, ResultRequest } from '../../contracts/results/result-request';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { StepInput } from '../../contracts/sessions/step-input';
import { CheckRefused, resultSchemaProblems, toolSchemaProblems } from './checks';
import type { SchemaProblem } from './schema-problem';

/** What of a request brings JSON schemas. */
export interface SchemaGiver {
  result?: ResultRequest | undefined;
  steps: readonly StepInput[];
  config?: StartRequest['config'] | undefined;
}

/** Of all schemas of one request: the threads that check them serve other requests too. */
const LONGEST_MS = 10_000;

interface GivenSchema {
  at: readonly (string | number)[];
  schema: JsonSchema | undefined;
  problemsOf: (schema: JsonSchema) => Promise<SchemaProblem[]>;
}

/**
 * What is wrong with the JSON schemas that a request brings, each with its path, such as
 * `steps[0].result.schema.properties.price.type`.
 */
export async function schemaIssues(request: SchemaGiver): Promise<Issue[]> {
  const issues: Issue[] = [];
  const began = performance.now();
  for (const { at, schema, problemsOf } of schemasOf(request)) {
    if (schema === undefined) continue;
    // Each has a limit of its own besides, for which the start of its thread does not count.
    if (performance.now() - began > LONGEST_MS)
      return [
        ...issues,
        {
          path: pathText(at),
          message: `the schemas of a request take more than ${LONGEST_MS / 1000} s to be checked; write simpler ones`,
        },
      ];
    try {
      for (const { path, message } of await problemsOf(schema))
        issues.push({ path: pathText([...at, ...path]), message });
    } catch (error) {
      if (!(error instanceof CheckRefused)) throw error;
      return [...issues, { path: pathText(at), message: error.message }];
    }
  }
  return issues;
}

function schemasOf({ result, steps, config }: SchemaGiver): GivenSchema[] {
  return [
    { at: ['result', 'schema'], schema: result?.schema, problemsOf: resultSchemaProblems },
    ...steps.map((step, index) => ({
      at: ['steps', index, 'result', 'schema'],
      schema: typeof step === 'object' && 'result' in step ? step.result?.schema : undefined,
      problemsOf: resultSchemaProblems,
    })),
    ...(config?.agent?.clientTools ?? []).map(({ parameters }, index) => ({
      at: ['config', 'agent', 'clientTools', index, 'parameters'],
      schema: parameters,
      problemsOf: toolSchemaProblems,
    })),
  ];
}
