import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Issue } from '../contracts/errors/issues';

/** Compiles a foreign JSON schema to a check that returns what is wrong with arguments; null when nothing is. */
export function schemaCheck(schema: unknown): (args: unknown) => string | null {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema as never);
    return (args) => {
      const { valid, errorMessage } = validate(args);
      return valid ? null : (errorMessage ?? 'the arguments do not fit their schema');
    };
  } catch {
    // The schema is not valid, so only the tool itself can check.
    return () => null;
  }
}

/** Finds what is wrong with arguments, by field. */
export function schemaIssues(schema: unknown, args: Record<string, unknown>): Issue[] {
  const wrong = schemaCheck(schema)(args);
  // Of one line per error: `data must have …, data/items/0 must be …`.
  const errors = wrong?.split(/, (?=data[/ ])/) ?? [];
  return errors.map((error) => {
    const [, at = '', message = error] = /^data(\S*) (.*)$/s.exec(error) ?? [];
    const missing = /required property '(.+)'$/.exec(message)?.[1];
    const path = [...at.split('/').slice(1), ...(missing === undefined ? [] : [missing])].join('.');
    return { path, message };
  });
}
