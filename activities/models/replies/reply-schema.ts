import { z } from 'zod';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { PhaseJudgementSchema } from '../../../contracts/steps/investigation';
import { EngineError } from '../../failures';
import type { FunctionTool, GenerationRequest, JsonSchema } from '../language-model';
import { errorMessage } from '../../../contracts/errors/error-message';

/** Whether a model answers with JSON text or with a function call. */
export type ReplyForm = 'json' | 'function';

const { reasoning, decision, commands } = AIResponseSchema.in.shape;

/** The members of S1.19's free `context` that the engine reads: vendors refuse an object without known members. */
const context = z
  .strictObject({
    unknownOutcome: z.enum(['happened', 'cannot-know']).optional(),
    investigate: z.string().optional(),
    memory: z.string().optional(),
  })
  .optional();

/** Converts to JSON Schema. Throws SM001 where zod can't: a fault of the engine, so that a retry would not help. */
export function toReplySchema(schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { override: ({ jsonSchema }) => delete jsonSchema.$schema }) as JsonSchema;
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new EngineError('SM001', `The JSON schema of the reply could not be made: ${reason}`, { cause });
  }
}

/** Makes the JSON schema when it is first read, so that an error belongs to that call. */
function toFunctionTool(name: string, description: string, schema: z.ZodType): FunctionTool {
  let made: JsonSchema | undefined;
  return {
    name,
    description,
    get parameters() {
      return (made ??= toReplySchema(schema));
    },
  };
}

/** S1.19 in the order of generation: the reasoning first, as it guides the rest and can be streamed before it. */
export const REPLY = toFunctionTool(
  'answer',
  'Give your thoughts, your decision and the commands to run. Call it exactly once.',
  z.strictObject({ reasoning, decision, commands, context }),
);

export const JUDGEMENT = toFunctionTool(
  'judge',
  'Give your judgement of what was found. Call it exactly once.',
  z.strictObject(PhaseJudgementSchema.shape),
);

/** The form of an answer: JSON, or a function call (SUREFOOT_MODEL_REPLY=function). */
export function answerAs(form: ReplyForm, answer: FunctionTool): GenerationRequest['answer'] {
  return form === 'json' ? { kind: 'json', schema: answer.parameters } : { kind: 'functions', tools: [answer] };
}
