import { z } from 'zod';
import { schemaFaults, shapeFaults, type Fault } from './checks';

/** Anthropic, “Create a message”: https://platform.claude.com/docs/en/api/messages/create */
const cached = {
  cache_control: z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish(),
};
const ID = /^[a-zA-Z0-9_-]+$/;
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1, 'text content blocks must be non-empty'),
  ...cached,
});
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64(),
  }),
  ...cached,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(ID),
  content: z.union([z.string(), z.array(z.union([text, image]))]).optional(),
  is_error: z.boolean().nullish(),
  ...cached,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(ID),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  caller: z.strictObject({ type: z.literal('direct') }).optional(),
  ...cached,
});
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) });
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.union([text, image, toolResult])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string().min(1),
      z
        .array(
          z.union([
            text,
            toolUse,
            thinking,
            z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
          ]),
        )
        .min(1),
    ]),
  }),
]);
const tool = z.strictObject({
  type: z.literal('custom').optional(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  eager_input_streaming: z.boolean().optional(),
  ...cached,
});
const computer = z.strictObject({
  type: z.templateLiteral(['computer_', z.number()]),
  name: z.literal('computer'),
  display_width_px: z.int().min(1),
  display_height_px: z.int().min(1),
  display_number: z.int().nullish(),
  enable_zoom: z.boolean().optional(),
  ...cached,
});
const body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(text).min(1)]).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  thinking: z
    .union([
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
      z.strictObject({ type: z.enum(['disabled', 'adaptive']), display: z.string().optional() }),
    ])
    .optional(),
  tools: z.array(z.union([tool, computer])).optional(),
  tool_choice: z
    .union([
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  metadata: z.strictObject({ user_id: z.string() }).optional(),
  output_config: z
    .strictObject({
      effort: z.string().optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
type Body = z.infer<typeof body>;

const MAX_CACHE_MARKS = 4;
const KEYWORDS =
  /^(?:type|description|title|properties|required|items|enum|const|anyOf|allOf|additionalProperties|default|format|\$ref|\$defs|minItems|pattern)$/;

export function anthropicFaults(given: unknown, headers: Record<string, unknown>): Fault[] {
  const faults = shapeFaults(body, given);
  if (faults.length > 0) return faults;
  const {
    messages,
    thinking: thoughts,
    temperature,
    tool_choice: choice,
    max_tokens: most,
    tools = [],
    output_config: output,
  } = given as Body;
  const marks = JSON.stringify(given).match(/"cache_control":\{/g)?.length ?? 0;
  const isComputer = tools.some((each) => 'display_width_px' in each);
  return [
    ...(headers['anthropic-version'] === '2023-06-01'
      ? []
      : [{ path: 'anthropic-version', message: 'header is required' }]),
    ...(isComputer && !/computer-use-\d{4}-\d\d-\d\d/.test(String(headers['anthropic-beta']))
      ? [{ path: 'tools', message: 'computer use needs its beta header' }]
      : []),
    ...(marks > MAX_CACHE_MARKS
      ? [{ path: 'cache_control', message: `A maximum of ${MAX_CACHE_MARKS} blocks may be provided. Found ${marks}.` }]
      : []),
    ...(messages[0]!.role === 'user'
      ? []
      : [{ path: 'messages.0', message: 'first message must use the "user" role' }]),
    ...(thoughts?.type === 'enabled' && temperature !== undefined && temperature !== 1
      ? [{ path: 'temperature', message: '`temperature` may only be set to 1 when thinking is enabled.' }]
      : []),
    ...(thoughts?.type === 'enabled' && thoughts.budget_tokens >= most
      ? [{ path: 'max_tokens', message: '`max_tokens` must be greater than `thinking.budget_tokens`.' }]
      : []),
    ...(thoughts?.type === 'enabled' && ['any', 'tool'].includes(choice?.type ?? '')
      ? [{ path: 'tool_choice', message: 'Thinking may not be enabled when tool_choice forces tool use.' }]
      : []),
    ...tools.flatMap((each) =>
      'input_schema' in each && ['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in each.input_schema)
        ? [
            {
              path: `tools.${each.name}.input_schema`,
              message: 'input_schema does not support oneOf, allOf, or anyOf at the top level',
            },
          ]
        : [],
    ),
    ...(output?.format === undefined
      ? []
      : schemaFaults(output.format.schema, structuredFaults, 'output_config.format.schema')),
    ...pairFaults(messages),
  ];
}

/** Structured outputs compile a grammar: objects are closed, and numbers and texts have no limits. */
function structuredFaults(schema: Record<string, unknown>): string[] {
  return [
    ...Object.keys(schema).flatMap((keyword) =>
      KEYWORDS.test(keyword) ? [] : [`For '${String(schema['type'])}' type, property '${keyword}' is not supported`],
    ),
    ...(schema['type'] === 'object' && schema['additionalProperties'] !== false
      ? ["For 'object' type, 'additionalProperties' must be explicitly set to false"]
      : []),
  ];
}

function pairFaults(messages: Body['messages']): Fault[] {
  const faults: Fault[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const path = `messages.${index}`;
    const blocks = typeof content === 'string' ? [] : content;
    const next = messages[index + 1]?.content;
    const results = (Array.isArray(next) ? next : []).flatMap((each) =>
      each.type === 'tool_result' ? [each.tool_use_id] : [],
    );
    const before = messages[index - 1]?.content;
    const used = (Array.isArray(before) ? before : []).flatMap((each) => (each.type === 'tool_use' ? [each.id] : []));
    const open = blocks.flatMap((each) => (each.type === 'tool_use' && !results.includes(each.id) ? [each.id] : []));
    if (open.length > 0)
      faults.push({
        path,
        message: `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`,
      });
    for (const each of blocks)
      if (each.type === 'tool_result' && !used.includes(each.tool_use_id))
        faults.push({
          path,
          message: `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${each.tool_use_id}.`,
        });
    const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
    if (role === 'user' && firstOther !== -1 && blocks.slice(firstOther).some(({ type }) => type === 'tool_result'))
      faults.push({ path, message: '`tool_result` blocks must come first.' });
    const last = blocks.at(-1);
    if (
      role === 'assistant' &&
      index === messages.length - 1 &&
      last?.type === 'text' &&
      last.text !== last.text.trimEnd()
    )
      faults.push({ path, message: 'final assistant content cannot end with trailing whitespace' });
    if (role === messages[index - 1]?.role)
      faults.push({ path, message: 'roles must alternate between "user" and "assistant"' });
  }
  return faults;
}

export function anthropicRefusal([{ path, message, isUnknown }]: readonly [Fault, ...Fault[]]): object {
  const what = isUnknown === true ? `${path}: Extra inputs are not permitted` : `${path}: ${message}`;
  return { type: 'error', error: { type: 'invalid_request_error', message: what }, request_id: 'req_1' };
}
