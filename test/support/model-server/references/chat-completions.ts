import { z } from 'zod';
import { openaiStrictFaults, schemaFaults, shapeFaults, type Fault } from './checks';

/**
 * Chat completions as servers of OpenAI's protocol take them; the members are those that Ollama lists, the smallest set:
 * https://docs.ollama.com/api/openai-compatibility
 */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().regex(/^data:image\/(?:png|jpeg|webp|gif);base64,|^https:/),
    detail: z.string().optional(),
  }),
});
const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(NAME), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(z.union([text, image])).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const body = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  response_format: z
    .union([
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(NAME),
          description: z.string().optional(),
          schema: z.record(z.string(), z.unknown()),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .optional(),
  seed: z.int().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().optional(),
  max_tokens: z.int().min(1).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(NAME),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
          strict: z.boolean().nullish(),
        }),
      }),
    )
    .min(1)
    .optional(),
  reasoning_effort: z.string().optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
});
type Body = z.infer<typeof body>;

export function chatFaults(given: unknown): Fault[] {
  const faults = shapeFaults(body, given);
  if (faults.length > 0) return faults;
  const { messages, response_format: format, tools = [], tool_choice: choice } = given as Body;
  const schemas = [
    ...(format?.type === 'json_schema' ? [format.json_schema] : []),
    ...tools.map(({ function: { parameters, strict } }) => ({ schema: parameters, strict })),
  ];
  return [
    ...(choice !== undefined && tools.length === 0
      ? [{ path: 'tool_choice', message: 'only allowed with tools' }]
      : []),
    ...schemas.flatMap(({ schema, strict }) => (strict === true ? schemaFaults(schema, openaiStrictFaults) : [])),
    // Grammars of llama.cpp are made of these.
    ...schemas.flatMap(({ schema }) =>
      schemaFaults(schema, (each) => ('$ref' in each || 'not' in each ? ['a reference, or a negation'] : [])),
    ),
    ...pairFaults(messages),
  ];
}

function pairFaults(messages: Body['messages']): Fault[] {
  const open = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        faults.push({
          path,
          message: "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        });
      continue;
    }
    if (open.size > 0)
      faults.push({ path, message: `these tool_call_ids did not have response messages: ${[...open].join(', ')}` });
    open.clear();
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) open.add(id);
    if (message.role === 'system' && index > 0)
      faults.push({ path, message: 'a system message that is not the first' });
  }
  if (open.size > 0) faults.push({ path: 'messages', message: `no response for ${[...open].join(', ')}` });
  return faults;
}
