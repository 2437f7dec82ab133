import { z } from 'zod';
import { enumOf } from '../enum-of';
import {
  BrowserActionSchema,
  BrowserParametersSchema,
  CommandResponseSchema,
  CommandStatus,
} from '../commands/commands';
import { StandardErrorSchema } from '../errors/standard-error';
import { InvestigationPhaseSchema, InvestigationToolSchema } from '../steps/investigation';
import { PageInfoSchema, ScreenshotInfoSchema, VariableInfoSchema } from '../sessions/resources';
import { StepResultSchema, StepStatus } from '../steps/step-result';
import { WorkingMemoryUpdateTypeSchema } from '../steps/working-memory';

/** S1.29: everything a stream client can receive. */
export enum StreamEventType {
  WORKFLOW_STARTED = 'WORKFLOW_STARTED',
  WORKFLOW_PROGRESS = 'WORKFLOW_PROGRESS',
  WORKFLOW_COMPLETED = 'WORKFLOW_COMPLETED',
  WORKFLOW_FAILED = 'WORKFLOW_FAILED',
  WORKFLOW_PAUSED = 'WORKFLOW_PAUSED',
  WORKFLOW_RESUMED = 'WORKFLOW_RESUMED',
  STEP_STARTED = 'STEP_STARTED',
  STEP_COMPLETED = 'STEP_COMPLETED',
  STEP_FAILED = 'STEP_FAILED',
  INVESTIGATION_STARTED = 'INVESTIGATION_STARTED',
  INVESTIGATION_PHASE_STARTED = 'INVESTIGATION_PHASE_STARTED',
  INVESTIGATION_PHASE_COMPLETED = 'INVESTIGATION_PHASE_COMPLETED',
  INVESTIGATION_TOOL_STARTED = 'INVESTIGATION_TOOL_STARTED',
  INVESTIGATION_TOOL_COMPLETED = 'INVESTIGATION_TOOL_COMPLETED',
  INVESTIGATION_COMPLETED = 'INVESTIGATION_COMPLETED',
  INVESTIGATION_FAILED = 'INVESTIGATION_FAILED',
  ELEMENT_DISCOVERED = 'ELEMENT_DISCOVERED',
  WORKING_MEMORY_UPDATED = 'WORKING_MEMORY_UPDATED',
  AI_REASONING = 'AI_REASONING',
  AI_RESPONSE_RECEIVED = 'AI_RESPONSE_RECEIVED',
  COMMAND_STARTED = 'COMMAND_STARTED',
  COMMAND_COMPLETED = 'COMMAND_COMPLETED',
  COMMAND_FAILED = 'COMMAND_FAILED',
  SCREENSHOT_CAPTURED = 'SCREENSHOT_CAPTURED',
  VARIABLE_UPDATED = 'VARIABLE_UPDATED',
  PAGE_NAVIGATED = 'PAGE_NAVIGATED',
  SESSION_STATUS = 'SESSION_STATUS',
  ERROR_OCCURRED = 'ERROR_OCCURRED',
  WARNING_ISSUED = 'WARNING_ISSUED',
}

/** S1.37. */
export const StandardWarningSchema = z.object({
  id: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.any()).optional(),
  timestamp: z.coerce.date(),
  sessionId: z.string().optional(),
  stepIndex: z.number().optional(),
});
export type StandardWarning = z.infer<typeof StandardWarningSchema>;

const confidence = z.number().min(0).max(1);

/** S1.31: the member that is set fits the event type (S1.R13); a `*_FAILED` event has its family's member and `error` (S1.A6). */
export const StreamEventDataSchema = z.object({
  reasoning: z
    .object({
      thought: z.string(),
      confidence,
      reasoningType: z.enum(['analysis', 'decision', 'plan', 'reflection']),
      context: z.record(z.string(), z.any()).optional(),
    })
    .optional(),
  command: z
    .object({
      commandId: z.string(),
      action: BrowserActionSchema,
      parameters: BrowserParametersSchema,
      status: enumOf<CommandStatus>(CommandStatus),
      duration: z.number().optional(),
      result: CommandResponseSchema.optional(),
    })
    .optional(),
  step: z
    .object({
      stepIndex: z.number(),
      stepContent: z.string(),
      status: enumOf<StepStatus>(StepStatus),
      progress: z.number().optional(),
      result: StepResultSchema.optional(),
    })
    .optional(),
  investigation: z
    .object({
      investigationId: z.string().optional(),
      phase: InvestigationPhaseSchema,
      toolsUsed: z.array(z.string()),
      elementsDiscovered: z.number(),
      confidence,
      duration: z.number().optional(),
      readyForAction: z.boolean().optional(),
    })
    .optional(),
  investigationTool: z
    .object({
      tool: InvestigationToolSchema,
      success: z.boolean(),
      confidence,
      duration: z.number(),
      elementsFound: z.number().optional(),
      summary: z.string().optional(),
    })
    .optional(),
  elementDiscovery: z
    .object({
      selector: z.string(),
      elementType: z.string(),
      confidence,
      discoveryMethod: z.string(),
      isReliable: z.boolean(),
      properties: z.record(z.string(), z.any()).optional(),
    })
    .optional(),
  workingMemory: z
    .object({
      updateType: WorkingMemoryUpdateTypeSchema,
      elementsKnown: z.number(),
      patternsLearned: z.number(),
      confidence,
      source: z.string(),
    })
    .optional(),
  progress: z
    .object({
      sessionId: z.string(),
      totalSteps: z.number(),
      completedSteps: z.number(),
      currentStepIndex: z.number(),
      overallProgress: z.number().min(0).max(100),
      estimatedTimeRemaining: z.number().optional(),
    })
    .optional(),
  screenshot: ScreenshotInfoSchema.optional(),
  variable: VariableInfoSchema.optional(),
  page: PageInfoSchema.optional(),
  error: StandardErrorSchema.optional(),
  warning: StandardWarningSchema.optional(),
  message: z.string().optional(),
  details: z.record(z.string(), z.any()).optional(),
});
export type StreamEventData = z.infer<typeof StreamEventDataSchema>;

/** S1.30: envelope of every streamed event. */
export const StreamEventSchema = z.object({
  id: z.string(),
  type: enumOf<StreamEventType>(StreamEventType),
  timestamp: z.coerce.date(),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  data: StreamEventDataSchema,
  metadata: z.record(z.string(), z.any()).optional(),
});
export type StreamEvent = z.infer<typeof StreamEventSchema>;
