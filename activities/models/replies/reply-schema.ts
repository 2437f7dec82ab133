import { z } from 'zod';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { PhaseJudgementSchema } from '../../../contracts/steps/investigation';
import { EngineError } from '../../failures';
import type { FunctionTool, GenerationRequest, JsonSchema } from '../language-model';

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

/** SM001 when zod can't put it into the words of JSON Schema: a fault of the engine that no other attempt mends. */
export function toReplySchema(schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { override: ({ jsonSchema }) => delete jsonSchema.$schema }) as JsonSchema;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('SM001', `The schema that a reply must keep to could not be made: ${reason}`, { cause });
  }
}

/** Its schema is made when it is first asked for: what is wrong with it is an error of that call. */
function aTool(name: string, description: string, schema: z.ZodType): FunctionTool {
  let made: JsonSchema | undefined;
  return {
    name,
    description,
    get parameters() {
      return (made ??= toReplySchema(schema));
    },
  };
}

/**
 * S1.19 as a model is asked for it: thoughts first, because what is written first leads what follows and can be shown
 * while the rest is still on its way.
 */
export const REPLY = aTool(
  'answer',
  'Give your thoughts, your decision and the commands to run. Call it exactly once.',
  z.strictObject({ reasoning, decision, commands, context }),
);

export const JUDGEMENT = aTool(
  'judge',
  'Give your judgement of what was found. Call it exactly once.',
  z.strictObject(PhaseJudgementSchema.shape),
);

/** As JSON, or as the call of a function, for models that call better than they write (SUREFOOT_MODEL_REPLY=function). */
export function answerAs(form: ReplyForm, answer: FunctionTool): GenerationRequest['answer'] {
  return form === 'json' ? { kind: 'json', schema: answer.parameters } : { kind: 'functions', tools: [answer] };
}
