import type { JsonSchema, ResultRequest } from '../../contracts/results/result-request';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { StepInput } from '../../contracts/sessions/step-input';

/**
 * A schema of zod (4.2 or newer), or of any library with Standard Schema and Standard JSON Schema: it says what is read,
 * and of which type it is.
 */
export interface TypedSchema<T = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validation<T> | Promise<Validation<T>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema };
  };
}

type Validation<T> =
  | { readonly value: T; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        message: string;
        path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
      }[];
    };

export type ResultSchema = JsonSchema | TypedSchema;

/** The type of a result by its schema; of plain JSON Schema nothing is known. */
export type ResultOf<S> = S extends TypedSchema<infer T> ? T : unknown;

interface TypedRequest<S extends ResultSchema> extends Omit<ResultRequest, 'schema'> {
  schema: S;
}

type TypedStep = StepInput extends infer Step
  ? Step extends { result?: ResultRequest | undefined }
    ? Omit<Step, 'result'> & { result?: TypedRequest<ResultSchema> | undefined }
    : Step
  : never;

/** A request whose `result.schema`, and that of its steps, may be a schema of zod. */
export interface SessionRequest<S extends ResultSchema = ResultSchema> extends Omit<StartRequest, 'steps' | 'result'> {
  steps: readonly TypedStep[];
  result?: TypedRequest<S> | undefined;
}

/** What the API takes: schemas as JSON Schema. */
export function toStartRequest({ steps, result, ...request }: SessionRequest): StartRequest {
  const plain = ({ schema, ...given }: TypedRequest<ResultSchema>): ResultRequest => ({
    ...given,
    schema: toJsonSchema(schema),
  });
  return {
    ...request,
    steps: steps.map((step): StepInput =>
      typeof step === 'object' && 'result' in step && step.result !== undefined
        ? ({ ...step, result: plain(step.result) } as StepInput)
        : (step as StepInput),
    ),
    ...(result === undefined ? {} : { result: plain(result) }),
  };
}

function toJsonSchema(schema: ResultSchema): JsonSchema {
  return isTyped(schema) ? schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) : schema;
}

function isTyped(schema: ResultSchema): schema is TypedSchema {
  const standard = (schema as Partial<TypedSchema>)['~standard'];
  if (standard === undefined) return false;
  if (typeof (standard as Partial<typeof standard>).jsonSchema?.input !== 'function')
    throw new TypeError(
      'result.schema: expected a schema that can say its JSON Schema, as those of zod 4.2 and newer can, or JSON Schema itself.',
    );
  return true;
}

/** Parses a value that the engine has read, as its schema does; throws where it does not fit. */
export async function parseResult<S extends ResultSchema>(schema: S | undefined, value: unknown): Promise<ResultOf<S>> {
  if (schema === undefined || !isTyped(schema)) return value as ResultOf<S>;
  const parsed = await schema['~standard'].validate(value);
  if (parsed.issues === undefined) return parsed.value as ResultOf<S>;
  const issues = parsed.issues.map(({ path = [], message }) => {
    const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return `${at === '' ? 'the result' : at}: ${message}`;
  });
  throw new TypeError(`The result does not fit its schema: ${issues.join('; ')}`);
}
