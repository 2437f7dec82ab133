import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

/** What is wrong with arguments by a JSON schema that is somebody else's; null when nothing is. */
export function schemaCheck(schema: unknown): (args: unknown) => string | null {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema as never);
    return (args) => {
      const { valid, errorMessage } = validate(args);
      return valid ? null : (errorMessage ?? 'the arguments do not fit their schema');
    };
  } catch {
    // A schema that is none: whoever runs the tool has to check.
    return () => null;
  }
}
