import { z } from 'zod';
import { enumOf } from '../../enum-of';
import { AIResponseShape } from '../../models/ai-response';
import * as engine from '../../commands/commands';
import {
  StreamEventDataSchema as EngineEventDataSchema,
  StreamEventSchema as EngineEventSchema,
} from '../stream-event';
import { StepResultSchema as EngineStepResultSchema } from '../../steps/step-result';

/**
 * The declarations of S1 that name an action, over its closed set of five. The engine's own declarations
 * have the same names and further actions; a reader of `actions=s1` gets these types.
 */
const actions = {
  action: enumOf<engine.CommandAction>(engine.CommandAction),
  parameters: engine.CommandParametersSchema,
};

/** S1.14. */
export const AIGeneratedCommandSchema = engine.AIGeneratedCommandSchema.extend(actions);
export type AIGeneratedCommand = z.infer<typeof AIGeneratedCommandSchema>;

/** S1.15. */
export const ExecutorCommandSchema = engine.ExecutorCommandSchema.extend(actions);
export type ExecutorCommand = z.infer<typeof ExecutorCommandSchema>;

/** S1.19. */
export const AIResponseSchema = AIResponseShape.extend({ commands: z.array(AIGeneratedCommandSchema) });
export type AIResponse = z.infer<typeof AIResponseSchema>;

/** S1.28. */
export const StepResultSchema = EngineStepResultSchema.extend({ executedCommands: z.array(ExecutorCommandSchema) });
export type StepResult = z.infer<typeof StepResultSchema>;

const { command, step } = EngineEventDataSchema.shape;

/** S1.31. */
export const StreamEventDataSchema = EngineEventDataSchema.extend({
  command: command.unwrap().extend(actions).optional(),
  step: step.unwrap().extend({ result: StepResultSchema.optional() }).optional(),
});
export type StreamEventData = z.infer<typeof StreamEventDataSchema>;

/** S1.30. */
export const StreamEventSchema = EngineEventSchema.extend({ data: StreamEventDataSchema });
export type StreamEvent = z.infer<typeof StreamEventSchema>;
