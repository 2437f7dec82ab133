import { issuesText, pathText, type Issue } from '../../contracts/errors/issues';
import type { JsonSchema } from '../../contracts/results/result-request';
import { CheckRefused, SchemaUnusable, checkValue } from './checks';

/** What is wrong with the arguments of a tool by its JSON schema, by field. */
export async function argumentIssues(schema: unknown, args: unknown): Promise<Issue[]> {
  try {
    const problems = await checkValue(schema as JsonSchema, args, 'draft-07');
    return problems.map(({ path, message }) => ({ path: pathText(path), message }));
  } catch (error) {
    if (error instanceof CheckRefused) return [{ path: '', message: error.message }];
    // The schema is not valid, so only the tool itself can check.
    if (error instanceof SchemaUnusable) return [];
    throw error;
  }
}

/** The same as one text; null where nothing is wrong. */
export async function argumentsProblem(schema: unknown, args: unknown): Promise<string | null> {
  const issues = await argumentIssues(schema, args);
  return issues.length === 0 ? null : issuesText(issues);
}
