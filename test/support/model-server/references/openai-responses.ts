import { z } from 'zod';
import { openaiStrictFaults, schemaFaults, shapeFaults, type Fault } from './checks';

/** OpenAI, “Create a model response”: https://platform.openai.com/docs/api-reference/responses/create */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().regex(/^(?:https:|data:image\/(?:png|jpeg|webp|gif);base64,)/),
  detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
});
const message = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string(), z.array(z.union([inputText, inputImage])).min(1)]),
});
const assistant = z.strictObject({
  type: z.literal('message').optional(),
  id: z.string().startsWith('msg_').optional(),
  role: z.literal('assistant'),
  content: z.union([
    z.string(),
    z
      .array(
        z.strictObject({
          type: z.literal('output_text'),
          text: z.string(),
          annotations: z.array(z.unknown()).optional(),
        }),
      )
      .min(1),
  ]),
  status: z.string().optional(),
  phase: z.string().optional(),
});
const functionCall = z.strictObject({
  type: z.literal('function_call'),
  id: z.string().startsWith('fc_').optional(),
  call_id: z.string().min(1).max(64),
  name: z.string().regex(NAME),
  arguments: z.string(),
  status: z.string().optional(),
});
const functionOutput = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(64),
  output: z.union([z.string(), z.array(z.union([inputText, inputImage]))]),
});
const reasoning = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string().startsWith('rs_').optional(),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().nullish(),
  status: z.string().optional(),
});
const computerCall = z.strictObject({
  type: z.literal('computer_call'),
  id: z.string().startsWith('cu_').optional(),
  call_id: z.string(),
  actions: z.array(z.looseObject({ type: z.string() })),
  pending_safety_checks: z.array(z.unknown()).optional(),
  status: z.string(),
});
const computerOutput = z.strictObject({
  type: z.literal('computer_call_output'),
  call_id: z.string(),
  output: z.strictObject({
    type: z.literal('computer_screenshot'),
    image_url: z.string().startsWith('data:image/'),
    detail: z.string().optional(),
  }),
  acknowledged_safety_checks: z.array(z.unknown()).optional(),
  status: z.string().optional(),
});
/** Responses that are not stored have no items to refer to. */
const item = z.union([message, assistant, functionCall, functionOutput, reasoning, computerCall, computerOutput]);
const format = z.union([
  z.strictObject({ type: z.enum(['text', 'json_object']) }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().regex(NAME),
    description: z.string().optional(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);
const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(NAME),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
});
const body = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  include: z.array(z.enum(['reasoning.encrypted_content', 'message.output_text.logprobs'])).optional(),
  max_output_tokens: z.int().min(16).optional(),
  parallel_tool_calls: z.boolean().optional(),
  prompt_cache_key: z.string().max(64).optional(),
  reasoning: z
    .strictObject({ effort: z.string().optional(), summary: z.enum(['auto', 'concise', 'detailed']).optional() })
    .optional(),
  store: z.boolean().optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  text: z.strictObject({ format: format.optional(), verbosity: z.string().optional() }).optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  tools: z.array(z.union([functionTool, z.strictObject({ type: z.literal('computer') })])).optional(),
  top_p: z.number().optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),
});
type Body = z.infer<typeof body>;

const REASONS = /^(?:o\d|gpt-5)/;

export function responsesFaults(given: unknown): Fault[] {
  const faults = shapeFaults(body, given);
  if (faults.length > 0) return faults;
  const { model, input, temperature, tools = [], text, include = [], store } = given as Body;
  return [
    ...(temperature !== undefined && REASONS.test(model)
      ? [{ path: 'temperature', message: "Unsupported parameter: 'temperature' is not supported with this model." }]
      : []),
    ...(include.length > 0 && !REASONS.test(model)
      ? [{ path: 'include', message: 'Encrypted content is not supported with this model.' }]
      : []),
    // By the reference, functions are strict unless they say otherwise.
    ...tools.flatMap((tool) =>
      tool.type === 'function' && tool.strict !== false
        ? schemaFaults(tool.parameters, openaiStrictFaults, `Invalid schema for function '${tool.name}'`)
        : [],
    ),
    ...(text?.format?.type === 'json_schema' && text.format.strict === true
      ? schemaFaults(text.format.schema, openaiStrictFaults, 'text.format.schema')
      : []),
    ...(typeof input === 'string' ? [] : pairFaults(input, store !== false)),
  ];
}

function pairFaults(input: readonly z.infer<typeof item>[], isStored: boolean): Fault[] {
  const typeOf = (each: z.infer<typeof item> | undefined) => each?.type ?? 'message';
  const called = new Map<string, number>();
  const answered = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, each] of input.entries()) {
    const path = `input[${index}]`;
    if (each.type === 'function_call' || each.type === 'computer_call') called.set(each.call_id, index);
    if (each.type === 'function_call_output' || each.type === 'computer_call_output') {
      if (!called.has(each.call_id))
        faults.push({ path, message: `No tool call found for function call output with call_id ${each.call_id}.` });
      answered.add(each.call_id);
    }
    const next = typeOf(input[index + 1]);
    if (
      each.type === 'reasoning' &&
      !['function_call', 'computer_call', 'reasoning'].includes(next) &&
      (input[index + 1] as { role?: string } | undefined)?.role !== 'assistant'
    )
      faults.push({ path, message: "Item of type 'reasoning' was provided without its required following item." });
    if (each.type === 'reasoning' && !isStored && typeof each.encrypted_content !== 'string')
      faults.push({ path, message: 'Items are not persisted when `store` is set to false.' });
  }
  for (const [callId, index] of called)
    if (!answered.has(callId))
      faults.push({ path: `input[${index}]`, message: `No tool output found for function call ${callId}.` });
  return faults;
}

/** The error body of OpenAI, and of servers that speak its protocol. */
export function openaiRefusal([{ path, message, isUnknown }]: readonly [Fault, ...Fault[]]): object {
  return {
    error: {
      message: isUnknown === true ? `Unknown parameter: '${path}'.` : `${path}: ${message}`,
      type: 'invalid_request_error',
      param: path,
      code: isUnknown === true ? 'unknown_parameter' : 'invalid_value',
    },
  };
}
