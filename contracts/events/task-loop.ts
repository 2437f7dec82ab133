import { z } from 'zod';
import { enumOf } from '../enum-of';
import { CommandResponseSchema, type CommandResponse } from '../commands/commands';
import { ExecutorCommandSchema, StepResultSchema, type ExecutorCommand, type StepResult } from './formats/s1';
import { StandardErrorSchema, type StandardError } from '../errors/standard-error';
import { StreamEventDataSchema } from './stream-event';
import { ProcessingOptionsSchema } from '../sessions/processing';
import { ExecutionProgressSchema, type ExecutionProgress } from '../sessions/progress';

/** S1.55: what the Task Loop reports to the Step Processor; an enum apart from StreamEventType (S1.A5). */
export enum TaskLoopEventType {
  STEP_STARTED = 'STEP_STARTED',
  STEP_COMPLETED = 'STEP_COMPLETED',
  STEP_FAILED = 'STEP_FAILED',
  AI_REASONING_UPDATE = 'AI_REASONING_UPDATE',
  COMMAND_EXECUTED = 'COMMAND_EXECUTED',
  PROGRESS_UPDATE = 'PROGRESS_UPDATE',
  INVESTIGATION_STARTED = 'INVESTIGATION_STARTED',
  INVESTIGATION_PHASE_STARTED = 'INVESTIGATION_PHASE_STARTED',
  INVESTIGATION_PHASE_COMPLETED = 'INVESTIGATION_PHASE_COMPLETED',
  INVESTIGATION_TOOL_STARTED = 'INVESTIGATION_TOOL_STARTED',
  INVESTIGATION_TOOL_COMPLETED = 'INVESTIGATION_TOOL_COMPLETED',
  INVESTIGATION_COMPLETED = 'INVESTIGATION_COMPLETED',
  INVESTIGATION_FAILED = 'INVESTIGATION_FAILED',
  ELEMENT_DISCOVERED = 'ELEMENT_DISCOVERED',
  WORKING_MEMORY_UPDATED = 'WORKING_MEMORY_UPDATED',
}

const { investigation, investigationTool, elementDiscovery, workingMemory } = StreamEventDataSchema.shape;

/** S1.56: the member that is set fits the event type (S1.R33); the last four are those of the stream (S1.A41). */
export const TaskLoopEventDataSchema = z.object({
  result: StepResultSchema.optional(),
  error: StandardErrorSchema.optional(),
  reasoning: z.object({ content: z.string(), confidence: z.number().min(0).max(1) }).optional(),
  command: z.object({ command: ExecutorCommandSchema, result: CommandResponseSchema }).optional(),
  progress: ExecutionProgressSchema.optional(),
  investigation,
  investigationTool,
  elementDiscovery,
  workingMemory,
});
export type TaskLoopEventData = z.infer<typeof TaskLoopEventDataSchema>;

/** S1.54. */
export const TaskLoopEventSchema = z.object({
  type: enumOf<TaskLoopEventType>(TaskLoopEventType),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  data: TaskLoopEventDataSchema,
  timestamp: z.coerce.date(),
});
export type TaskLoopEvent = z.infer<typeof TaskLoopEventSchema>;

/** S1.53: how the Task Loop reports without knowing the Step Processor (S1.R23). */
export interface IEventPublisher {
  publishEvent(event: TaskLoopEvent): Promise<void>;
}

/** S1.58. */
export const TaskLoopStepRequestSchema = z.strictObject({
  sessionId: z.string(),
  stepIndex: z.number(),
  stepContent: z.string(),
  streamId: z.string().optional(),
  options: ProcessingOptionsSchema.optional(),
});
export type TaskLoopStepRequest = z.infer<typeof TaskLoopStepRequestSchema>;

/**
 * S1.59.
 * @deprecated The Task Loop reports through IEventPublisher; this is at most an adapter over it (S1.R33).
 */
export interface TaskLoopCallbacks {
  onStepStarted(sessionId: string, stepIndex: number): Promise<void>;
  onStepCompleted(sessionId: string, stepIndex: number, result: StepResult): Promise<void>;
  onStepFailed(sessionId: string, stepIndex: number, error: StandardError): Promise<void>;
  onAIReasoningUpdate(sessionId: string, stepIndex: number, reasoning: string, confidence: number): Promise<void>;
  onCommandExecuted(
    sessionId: string,
    stepIndex: number,
    command: ExecutorCommand,
    result: CommandResponse,
  ): Promise<void>;
  onProgressUpdate(sessionId: string, progress: ExecutionProgress): Promise<void>;
}
