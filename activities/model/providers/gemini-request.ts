import type { GenerationRequest, JsonSchema, PromptMessage } from '../port';

/** A schema in the subset of OpenAPI that Gemini takes: types in capitals, no further keywords, an order of writing. */
export function toGeminiSchema(schema: JsonSchema): object {
  const { type, description, enum: values, properties, required, items, minimum, maximum } = schema;
  return {
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(items === undefined ? {} : { items: toGeminiSchema(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, toGeminiSchema(each)])),
          // Without it the members are written in the order of the alphabet, and the reasoning comes last.
          propertyOrdering: Object.keys(properties),
        }),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
}

export function toGeminiContents(messages: readonly PromptMessage[]): { role: string; parts: object[] }[] {
  return messages.map((message) =>
    message.role === 'model'
      ? { role: 'model', parts: [{ text: message.text }] }
      : {
          role: 'user',
          parts: message.parts.map((part) =>
            part.kind === 'text'
              ? { text: part.text }
              : { inlineData: { mimeType: part.mediaType, data: part.base64 } },
          ),
        },
  );
}

/** What both SDKs call `generationConfig`. */
export function toGenerationConfig({ answer, temperature, maxTokens }: GenerationRequest): object {
  return {
    temperature,
    maxOutputTokens: maxTokens,
    ...(answer.kind === 'json'
      ? { responseMimeType: 'application/json', responseSchema: toGeminiSchema(answer.schema) }
      : {}),
  };
}

export function toGeminiTools({ answer }: GenerationRequest): { tools: object[]; toolConfig: object } | undefined {
  if (answer.kind !== 'functions') return undefined;
  const functionDeclarations = answer.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: toGeminiSchema(parameters),
  }));
  return { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig: { mode: 'ANY' } } };
}
