import { z } from 'zod';
import { AIResponseSchema } from '../../contracts/ai-response';
import { EngineError } from '../failures';
import type { FunctionTool, JsonSchema } from './port';

const { reasoning, decision, commands } = AIResponseSchema.in.shape;

/**
 * S1.19 as a model is asked for it: thoughts first, because what is written first leads what follows and can be shown
 * while the rest is still on its way. `context` is left out: vendors refuse an object without known members.
 */
export function replySchema(): JsonSchema {
  made ??= toReplySchema(z.strictObject({ reasoning, decision, commands }));
  return made;
}

let made: JsonSchema | undefined;

/** SM001 when zod can't put it into the words of JSON Schema: a fault of the engine that no other attempt mends. */
export function toReplySchema(schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { override: ({ jsonSchema }) => delete jsonSchema.$schema }) as JsonSchema;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('SM001', `The schema that a reply must keep to could not be made: ${reason}`, { cause });
  }
}

/** The same as a function, for models that call better than they write (SUREFOOT_MODEL_REPLY=function). */
export function replyFunction(): FunctionTool {
  return {
    name: 'answer',
    description: 'Give your thoughts, your decision and the commands to run. Call it exactly once.',
    parameters: replySchema(),
  };
}
