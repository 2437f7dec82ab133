import { z } from 'zod';
import { COMMANDS, STEP_ACTIONS, type StepAction } from '../../../../contracts/commands/commands';
import { PhaseJudgementSchema } from '../../../../contracts/steps/investigation';
import { EngineError } from '../../../activity/failures';
import type { FunctionTool, GenerationRequest, VendorSchema } from '../../../../contracts/model-port/language-model';
import { ANSWER, DECISION_WORDS } from './as-reply';
import { errorMessage } from '../../../../contracts/errors/error-message';

/** Whether a model answers with JSON text or with a function call. */
export type ReplyForm = 'json' | 'function';

/** A command with the members that a reply may give it. */
export interface OfferedCommand {
  action: StepAction;
  members: Record<string, z.ZodType>;
}

/** What a reply may say, which depends on what it is about: a schema is input that is paid in every call. */
export interface ReplyFacts {
  commands: readonly OfferedCommand[];
  /** Refs of the page, where a selector is one of them; none where there are too many, or where some are left out. */
  refs?: readonly string[];
  /** There are outcomes to judge. */
  hasActed?: boolean;
  hasUnknown?: boolean;
  mayInvestigate?: boolean;
  /** Another step may be begun. */
  hasNext?: boolean;
  /** Later steps may need what is noted. */
  hasLater?: boolean;
}

/** S1.19 in the words of models, in the order of generation: the reasoning first, as it guides the rest. */
function replyShape(facts: ReplyFacts): z.ZodObject {
  const { commands, hasActed, hasUnknown, mayInvestigate, hasNext, hasLater } = facts;
  const context = {
    ...(hasUnknown ? { unknownOutcome: z.enum(['happened', 'cannot-know']).optional() } : {}),
    ...(mayInvestigate ? { investigate: z.string().optional().describe('what you can not find on the page') } : {}),
    ...(hasLater ? { memory: z.string().optional().describe('facts that the page will not show later') } : {}),
    ...(hasNext ? { forStep: z.int().optional().describe('the number of the next step, if you begin it') } : {}),
  };
  return z.strictObject({
    reasoning: z.strictObject({ analysis: z.string(), confidence: z.number().describe('≤1') }),
    decision: z.enum(Object.keys(DECISION_WORDS)),
    message: z.string(),
    ...(hasActed
      ? { worked: z.boolean().optional().describe('whether the last commands did what they were to do') }
      : {}),
    commands: z.array(
      z.strictObject({ action: z.enum(commands.map(({ action }) => action)), ...parametersOf(commands) }),
    ),
    ...(Object.keys(context).length === 0 ? {} : { context: z.strictObject(context).optional() }),
  });
}

/** One bag for all actions (S1.17), beside the action: each reply is checked by the action's own parameters. */
function parametersOf(commands: readonly OfferedCommand[]): Record<string, z.ZodType> {
  const members = commands.flatMap(({ members: own }) => Object.entries(own));
  // The list of commands in the prompt says what they are.
  return Object.fromEntries(members.map(([name, member]) => [name, member.describe('').optional()]));
}

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
  const isNew = description !== undefined && description !== '' && !described.has(description);
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

/** The answer to a request. The page has its refs in it, so that no other is written. */
export function replyTool({ refs = [], ...facts }: ReplyFacts): FunctionTool {
  const { parameters, ...tool } = toFunctionTool(
    ANSWER,
    'Give your decision. Call it exactly once.',
    replyShape(facts),
  );
  const members = parameters.properties!['commands']!.items!.properties!;
  for (const name of refs.length === 0 ? [] : ['selector', 'toSelector'])
    if (members[name] !== undefined) members[name] = { ...members[name], enum: refs };
  return { ...tool, parameters };
}

/** The answer of whatever a step may need, for a vendor that refuses what a page adds to it. */
export const WHOLE_REPLY = replyTool({
  commands: STEP_ACTIONS.map((action) => ({ action, members: COMMANDS[action].stepParameters.shape })),
  hasActed: true,
  hasUnknown: true,
  mayInvestigate: true,
  hasNext: true,
  hasLater: true,
});

/** What is done next, in flat members. */
export function deedTool(words: readonly string[], refs: readonly string[]): FunctionTool {
  const ref = refs.length === 0 ? z.string() : z.enum(refs);
  const shape = { action: z.enum(words), ref: ref.optional(), text: z.string().optional() };
  return toFunctionTool('next', 'Say what is done next. Call it exactly once.', z.strictObject(shape));
}

export const JUDGEMENT = toFunctionTool(
  'judge',
  'Give your judgement of what was found. Call it exactly once.',
  z.strictObject(PhaseJudgementSchema.shape),
);

export const READING = toFunctionTool(
  'say',
  'Say the step. Call it exactly once.',
  z.strictObject({ step: z.string().nullable() }),
);

export const VERDICT = toFunctionTool(
  'verdict',
  'Give your verdict. Call it exactly once.',
  z.strictObject({ problem: z.string(), evidence: z.string(), done: z.boolean() }),
);

/** The form of an answer: JSON, or a function call (SUREFOOT_MODEL_REPLY=function). */
export function answerAs(form: ReplyForm, answer: FunctionTool): GenerationRequest['answer'] {
  return form === 'json' ? { kind: 'json', schema: answer.parameters } : { kind: 'functions', tools: [answer] };
}
