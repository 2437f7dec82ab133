import { z } from 'zod';
import { COMMANDS, STEP_ACTIONS, type StepAction } from '../../../../contracts/commands/commands';
import { AIResponseShape, REFLECTION_CONFIDENCE } from '../../../../contracts/models/ai-response';
import { PhaseJudgementSchema } from '../../../../contracts/steps/investigation';
import { EngineError } from '../../../activity/failures';
import type { FunctionTool, GenerationRequest, VendorSchema } from '../../../../contracts/model-port/language-model';
import { toPortableSchema } from '../portable-schema';
import { errorMessage } from '../../../../contracts/errors/error-message';

/** Whether a model answers with JSON text or with a function call. */
export type ReplyForm = 'json' | 'function';

const shape = AIResponseShape.shape;
const validation = shape.decision.shape.resultValidation.unwrap().shape;

/** S1.19 without what a plain reply has no use for: parse-reply.ts fills it in. */
const reasoning = z.strictObject({
  analysis: shape.reasoning.shape.analysis.describe('what the page shows, and what the step still needs'),
  rationale: shape.reasoning.shape.rationale.optional().describe('why these commands and no others'),
  expectedOutcome: shape.reasoning.shape.expectedOutcome.optional().describe('what the page will show after them'),
  confidence: shape.reasoning.shape.confidence.describe(
    `from 0 to 1; below ${REFLECTION_CONFIDENCE} the step does not count as done`,
  ),
});

const decision = z.strictObject({
  action: shape.decision.shape.action.describe('PROCEED without commands: the step is done'),
  message: shape.decision.shape.message.describe('what was done, or what you do now; for ABORT what prevented it'),
  resultValidation: z
    .strictObject({
      success: validation.success,
      actualState: validation.actualState.optional().describe('what the page shows instead of what you expected'),
      issues: validation.issues,
    })
    .optional()
    .describe('after an attempt: whether it worked'),
});

/** One schema for all actions with the same parameters, so that a reply gives to each command what it takes. */
const command = z.union(
  [
    ...Map.groupBy(STEP_ACTIONS, (action) => JSON.stringify(z.toJSONSchema(COMMANDS[action].stepParameters))).values(),
  ].map(commandSchema),
);

function commandSchema(actions: readonly StepAction[]): z.ZodObject {
  const action = z.enum(actions);
  const parameters: z.ZodObject = COMMANDS[actions[0]!].stepParameters;
  const members = Object.values(parameters.shape);
  if (members.length === 0) return z.strictObject({ action });
  const isOptional = members.every((member) => member instanceof z.ZodOptional);
  return z.strictObject({ action, parameters: isOptional ? parameters.optional() : parameters });
}

/** The members of S1.19's free `context` that the engine reads: vendors refuse an object without known members. */
const context = z
  .strictObject({
    unknownOutcome: z
      .enum(['happened', 'cannot-know'])
      .optional()
      .describe('only for a command with the outcome “unknown”'),
    investigate: z.string().optional().describe('what you can not find on the page'),
    memory: z.string().optional().describe('facts that a later request needs'),
    forStep: z.int().optional().describe('the number of the next step, when this reply begins it'),
  })
  .optional();

/** Vendors refuse some of these keywords, and count the states of a grammar by others: replies are checked without them. */
const LIMITS = ['default', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'minimum', 'maximum'];

/** Converts to JSON Schema. Throws SM001 where zod can't: a fault of the engine, so that a retry would not help. */
export function toReplySchema(schema: z.ZodType): VendorSchema {
  try {
    const { $schema: _, ...converted } = z.toJSONSchema(schema, {
      io: 'input',
      override({ jsonSchema }) {
        for (const keyword of LIMITS) delete (jsonSchema as Record<string, unknown>)[keyword];
      },
    });
    return describedOnce(converted as VendorSchema, new Set());
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new EngineError('SM001', `The JSON schema of the reply could not be made: ${reason}`, { cause });
  }
}

/** Members of several commands are described once: a schema is input that is paid in every call. */
function describedOnce({ description, ...schema }: VendorSchema, described: Set<string>): VendorSchema {
  const isNew = description !== undefined && !described.has(description);
  if (isNew) described.add(description);
  const { properties, items, anyOf } = schema;
  const members = Object.entries(properties ?? {});
  return {
    ...schema,
    ...(isNew ? { description } : {}),
    ...(properties && {
      properties: Object.fromEntries(members.map(([name, member]) => [name, describedOnce(member, described)])),
    }),
    ...(items && { items: describedOnce(items, described) }),
    ...(anyOf && { anyOf: anyOf.map((each) => describedOnce(each, described)) }),
  };
}

/** Makes the JSON schema when it is first read, so that an error belongs to that call. */
function toFunctionTool(name: string, description: string, schema: z.ZodType): FunctionTool {
  let made: VendorSchema | undefined;
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
  z.strictObject({
    reasoning,
    decision,
    commands: z.array(command).describe('in the order in which they run; empty for none'),
    context,
  }),
);

/** The same for a vendor that refuses the choice of a schema by action: one flat bag of parameters (S1.17). */
export const FLAT_REPLY: FunctionTool = {
  name: REPLY.name,
  description: REPLY.description,
  get parameters() {
    return toPortableSchema(REPLY.parameters);
  },
};

export const JUDGEMENT = toFunctionTool(
  'judge',
  'Give your judgement of what was found. Call it exactly once.',
  z.strictObject(PhaseJudgementSchema.shape),
);

/** The form of an answer: JSON, or a function call (SUREFOOT_MODEL_REPLY=function). */
export function answerAs(form: ReplyForm, answer: FunctionTool): GenerationRequest['answer'] {
  return form === 'json' ? { kind: 'json', schema: answer.parameters } : { kind: 'functions', tools: [answer] };
}
