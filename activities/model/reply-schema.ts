import { z } from 'zod';
import { AIResponseSchema } from '../../contracts/ai-response';
import { PhaseJudgementSchema } from '../../contracts/investigation';
import type { FunctionTool, GenerationRequest, JsonSchema } from './port';

/** How a model is asked to answer. */
export type ReplyForm = 'json' | 'function';

const { reasoning, decision, commands } = AIResponseSchema.in.shape;

/** Of S1.19's free `context` only what the engine reads: vendors refuse an object without known members. */
const context = z
  .strictObject({
    unknownOutcome: z.enum(['happened', 'cannot-know']).optional(),
    investigate: z.string().optional(),
  })
  .optional();

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { override: ({ jsonSchema }) => delete jsonSchema.$schema }) as JsonSchema;
}

/**
 * S1.19 as a model is asked for it: thoughts first, because what is written first leads what follows and can be shown
 * while the rest is still on its way.
 */
export const REPLY: FunctionTool = {
  name: 'answer',
  description: 'Give your thoughts, your decision and the commands to run. Call it exactly once.',
  parameters: toJsonSchema(z.strictObject({ reasoning, decision, commands, context })),
};

export const JUDGEMENT: FunctionTool = {
  name: 'judge',
  description: 'Give your judgement of what was found. Call it exactly once.',
  parameters: toJsonSchema(z.strictObject(PhaseJudgementSchema.shape)),
};

/** As JSON, or as the call of a function, for models that call better than they write (SUREFOOT_MODEL_REPLY=function). */
export function answerAs(form: ReplyForm, answer: FunctionTool): GenerationRequest['answer'] {
  return form === 'json' ? { kind: 'json', schema: answer.parameters } : { kind: 'functions', tools: [answer] };
}
