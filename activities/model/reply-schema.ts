import { z } from 'zod';
import { AIResponseSchema } from '../../contracts/ai-response';
import type { FunctionTool, JsonSchema } from './port';

const { reasoning, decision, commands } = AIResponseSchema.in.shape;

/**
 * S1.19 as a model is asked for it: thoughts first, because what is written first leads what follows and can be shown
 * while the rest is still on its way. `context` is left out: vendors refuse an object without known members.
 */
export const REPLY_SCHEMA = z.toJSONSchema(z.strictObject({ reasoning, decision, commands }), {
  override: ({ jsonSchema }) => delete jsonSchema.$schema,
}) as JsonSchema;

/** The same as a function, for models that call better than they write (SUREFOOT_MODEL_REPLY=function). */
export const REPLY_FUNCTION: FunctionTool = {
  name: 'answer',
  description: 'Give your thoughts, your decision and the commands to run. Call it exactly once.',
  parameters: REPLY_SCHEMA,
};
