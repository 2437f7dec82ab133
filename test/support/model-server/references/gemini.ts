import { z } from 'zod';
import { schemaFaults, shapeFaults, type Fault } from './checks';

/**
 * Gemini's generateContent: https://ai.google.dev/api/generate-content and, on Vertex AI,
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
const part = z.strictObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.base64().or(z.literal('skip_thought_signature_validator')).optional(),
  inlineData: z.strictObject({ mimeType: z.string(), data: z.base64() }).optional(),
  functionCall: z
    .strictObject({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
  functionResponse: z
    .strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
      parts: z
        .array(z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: z.base64() }) }))
        .optional(),
    })
    .optional(),
});
type Part = z.infer<typeof part>;
const content = z.strictObject({ role: z.enum(['user', 'model', 'function']).optional(), parts: z.array(part).min(1) });
const schema = z.record(z.string(), z.unknown());
const declaration = z.strictObject({
  name: z.string().regex(/^[a-zA-Z_][\w.:-]{0,63}$/),
  description: z.string(),
  parameters: schema.optional(),
  parametersJsonSchema: schema.optional(),
});
const body = z.strictObject({
  contents: z.array(content).min(1),
  systemInstruction: z
    .strictObject({ role: z.string().optional(), parts: z.array(z.strictObject({ text: z.string() })).min(1) })
    .optional(),
  tools: z
    .array(
      z.union([
        z.strictObject({ functionDeclarations: z.array(declaration).min(1) }),
        z.strictObject({
          computerUse: z.strictObject({
            environment: z.literal('ENVIRONMENT_BROWSER'),
            excludedPredefinedFunctions: z.array(z.string()).optional(),
          }),
        }),
      ]),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']),
        allowedFunctionNames: z.array(z.string()).optional(),
      }),
    })
    .optional(),
  generationConfig: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().optional(),
      topK: z.number().optional(),
      candidateCount: z.int().optional(),
      maxOutputTokens: z.int().min(1).optional(),
      stopSequences: z.array(z.string()).optional(),
      responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
      responseSchema: schema.optional(),
      responseJsonSchema: schema.optional(),
      thinkingConfig: z
        .strictObject({
          includeThoughts: z.boolean().optional(),
          thinkingBudget: z.int().optional(),
          thinkingLevel: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
  safetySettings: z.array(z.strictObject({ category: z.string(), threshold: z.string() })).optional(),
});
type Body = z.infer<typeof body>;

export function geminiFaults(given: unknown, path: string): Fault[] {
  const faults = shapeFaults(body, given);
  if (faults.length > 0) return faults;
  const { contents, tools = [], toolConfig, generationConfig } = given as Body;
  const declarations = tools.flatMap((tool) => ('functionDeclarations' in tool ? tool.functionDeclarations : []));
  const schemas = [
    ...declarations.flatMap(({ name, parameters }) => (parameters === undefined ? [] : [{ name, schema: parameters }])),
    ...(generationConfig?.responseSchema === undefined
      ? []
      : [{ name: 'response', schema: generationConfig.responseSchema }]),
  ];
  const jsonSchemas = [
    ...declarations.map(({ name, parametersJsonSchema: each }) => ({ name, schema: each })),
    { name: 'response', schema: generationConfig?.responseJsonSchema },
  ];
  return [
    ...jsonSchemas.flatMap(({ name, schema: each }) =>
      each === undefined ? [] : schemaFaults(each, jsonFaults, name),
    ),
    ...schemas.flatMap(({ name, schema: each }) =>
      geminiSchemaFaults(upper(each)).map((message) => ({ path: name, message })),
    ),
    ...(toolConfig !== undefined && tools.length === 0
      ? [{ path: 'toolConfig', message: 'Function calling config is set without function_declarations.' }]
      : []),
    ...(generationConfig?.responseMimeType === 'application/json' && tools.length > 0
      ? [
          {
            path: 'generationConfig',
            message: "Function calling with a response mime type: 'application/json' is unsupported",
          },
        ]
      : []),
    ...turnFaults(contents, /gemini-3/.test(path)),
  ];
}

/** The keywords that `parametersJsonSchema` and `responseJsonSchema` take. */
const JSON_KEYWORDS =
  /^(?:\$id|\$defs|\$ref|\$anchor|type|format|title|description|enum|items|prefixItems|minItems|maxItems|minimum|maximum|anyOf|oneOf|properties|additionalProperties|required|propertyOrdering)$/;

function jsonFaults(each: Record<string, unknown>): string[] {
  return Object.keys(each).flatMap((keyword) => (JSON_KEYWORDS.test(keyword) ? [] : [`keyword ${keyword}`]));
}

/** Types may be written in small letters as well. */
function upper(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    key === 'type' && typeof each === 'string' ? each.toUpperCase() : each,
  ) as Record<string, unknown>;
}

function turnFaults(contents: Body['contents'], needsSignatures: boolean): Fault[] {
  const callsOf = (parts: readonly Part[] = []): Part[] =>
    parts.filter(({ functionCall }) => functionCall !== undefined);
  const answersOf = (parts: readonly Part[] = []): Part[] =>
    parts.filter(({ functionResponse }) => functionResponse !== undefined);
  return contents.flatMap(({ role, parts }, index): Fault[] => {
    const path = `contents[${index}]`;
    const calls = callsOf(parts);
    const before = contents[index - 1];
    return [
      ...(index === 0 && role === 'model' ? [{ path, message: 'the first turn is one of the user' }] : []),
      ...(parts.some((each) => Object.keys(each).length === 0)
        ? [{ path, message: 'required oneof field data must have one initialized field' }]
        : []),
      ...(calls.length > 0 && before?.role === 'model'
        ? [
            {
              path,
              message: 'function call turn comes immediately after a user turn or after a function response turn',
            },
          ]
        : []),
      ...(calls.length > 0 && answersOf(contents[index + 1]?.parts).length !== calls.length
        ? [
            {
              path,
              message:
                'the number of function response parts is equal to the number of function call parts of the function call turn',
            },
          ]
        : []),
      ...(answersOf(parts).length > 0 && callsOf(before?.parts).length === 0
        ? [{ path, message: 'function response turn comes immediately after a function call turn' }]
        : []),
      ...(needsSignatures && calls.length > 0 && calls[0]!.thoughtSignature === undefined
        ? [{ path, message: `Function call ${calls[0]!.functionCall!.name} is missing a thought_signature` }]
        : []),
    ];
  });
}

export function geminiRefusal([{ path, message, isUnknown }]: readonly [Fault, ...Fault[]]): object {
  const what =
    isUnknown === true
      ? `Invalid JSON payload received. Unknown name "${path}": Cannot find field.`
      : `* GenerateContentRequest.${path}: ${message}`;
  return googleError(400, 'INVALID_ARGUMENT', what);
}

/** Google's error body, with RetryInfo where a wait is asked for. */
export function googleError(code: number, status: string, message: string, details: object[] = []): object {
  return { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } };
}

const SCHEMA_KEYWORDS = /^(?:type|description|enum|properties|required|items|minimum|maximum|propertyOrdering)$/;

/**
 * What Gemini refuses in a schema, by its published reference: keywords beside those of its `Schema`, others beside
 * `anyOf`, objects without members, an order or required members that the object does not have.
 */
export function geminiSchemaFaults(schema: Record<string, unknown>, path = 'schema'): string[] {
  const under = (member: unknown, name: string): string[] =>
    geminiSchemaFaults(member as Record<string, unknown>, `${path}.${name}`);
  if ('anyOf' in schema) {
    const beside = Object.keys(schema).filter((keyword) => keyword !== 'anyOf');
    const choices = (schema['anyOf'] as unknown[]).flatMap((each, index) => under(each, `anyOf[${index}]`));
    return [...beside.map((keyword) => `${path}: ${keyword} beside anyOf`), ...choices];
  }
  const members = Object.entries((schema['properties'] ?? {}) as object);
  const isUnknown = (name: string): boolean => members.every(([known]) => known !== name);
  const named = ['required', 'propertyOrdering'].flatMap((keyword) => (schema[keyword] ?? []) as string[]);
  return [
    ...Object.keys(schema).flatMap((keyword) => (SCHEMA_KEYWORDS.test(keyword) ? [] : [`${path}: ${keyword}`])),
    ...(/^(?:STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/.test(String(schema['type'])) ? [] : [`${path}: its type`]),
    ...(schema['type'] === 'OBJECT' && members.length === 0 ? [`${path}: an object without members`] : []),
    ...(schema['type'] === 'ARRAY' && schema['items'] === undefined ? [`${path}: a list without items`] : []),
    ...named.filter(isUnknown).map((name) => `${path}: no member ${name}`),
    ...members.flatMap(([name, member]) => under(member, name)),
    ...(schema['items'] === undefined ? [] : under(schema['items'], 'items')),
  ];
}
