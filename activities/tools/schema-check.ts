import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

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
