import { z } from 'zod';
import { enumOf } from '../enum-of';
import { AIGeneratedCommandSchema, type AIGeneratedCommand } from '../commands/commands';

/** S1.20: the verdict of the model. */
export enum DecisionAction {
  PROCEED = 'PROCEED',
  RETRY = 'RETRY',
  ABORT = 'ABORT',
}

/** S1.21: how the model judges the previous action. */
export const ResultValidationSchema = z.strictObject({
  success: z.boolean(),
  expectedElements: z.array(z.string()),
  actualState: z.string(),
  issues: z.array(z.string()).optional(),
});
export type ResultValidation = z.infer<typeof ResultValidationSchema>;

/** The members of a reply, without the rules between them. */
export const AIResponseShape = z.strictObject({
  decision: z.strictObject({
    action: enumOf<DecisionAction>(DecisionAction),
    message: z.string(),
    resultValidation: ResultValidationSchema.optional(),
  }),
  reasoning: z.strictObject({
    analysis: z.string(),
    rationale: z.string(),
    expectedOutcome: z.string(),
    confidence: z.number().min(0).max(1),
    alternatives: z.string().optional(),
  }),
  commands: z.array(AIGeneratedCommandSchema),
  context: z.record(z.string(), z.any()).optional(),
});

/** S1.A9: the place in the array, which is the order in which commands run. */
function withPriority(command: AIGeneratedCommand, index: number): AIGeneratedCommand {
  return { ...command, priority: command.priority ?? index + 1 };
}

/** S1.19: the parsed reply of a model, with the rule that ties the decision to the commands (S1.A31). */
export const AIResponseSchema = AIResponseShape.refine(
  (reply) => reply.decision.action !== DecisionAction.RETRY || reply.commands.length > 0,
  {
    path: ['commands'],
    message: 'RETRY must carry at least one corrective command',
  },
).transform((reply) => ({
  ...reply,
  commands: reply.decision.action === DecisionAction.ABORT ? [] : reply.commands.map(withPriority),
}));
export type AIResponse = z.infer<typeof AIResponseSchema>;

/** Below this confidence the model judges a step once more before it counts as done (reflection). */
export const REFLECTION_CONFIDENCE = 0.7;
