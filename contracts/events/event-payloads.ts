import { z } from 'zod';
import {
  BrowserActionSchema,
  BrowserParametersSchema,
  CommandResponseSchema,
  CommandStatus,
} from '../commands/commands';
import { enumOf } from '../enum-of';
import { InvestigationPhaseSchema, InvestigationToolSchema } from '../steps/investigation';
import { StepResultSchema, StepStatus } from '../steps/step-result';
import { WorkingMemoryUpdateTypeSchema } from '../steps/working-memory';

/** The members of S1.31 that only events have. */

const confidence = z.number().min(0).max(1);

export const reasoning = z.object({
  thought: z.string(),
  confidence,
  reasoningType: z.enum(['analysis', 'decision', 'plan', 'reflection']),
  context: z.record(z.string(), z.any()).optional(),
});

export const command = z.object({
  commandId: z.string(),
  action: BrowserActionSchema,
  parameters: BrowserParametersSchema,
  status: enumOf<CommandStatus>(CommandStatus),
  duration: z.number().optional(),
  result: CommandResponseSchema.optional(),
});

export const step = z.object({
  stepIndex: z.number(),
  stepContent: z.string(),
  status: enumOf<StepStatus>(StepStatus),
  progress: z.number().optional(),
  result: StepResultSchema.optional(),
});

export const investigation = z.object({
  investigationId: z.string().optional(),
  phase: InvestigationPhaseSchema,
  toolsUsed: z.array(z.string()),
  elementsDiscovered: z.number(),
  confidence,
  duration: z.number().optional(),
  readyForAction: z.boolean().optional(),
});

export const investigationTool = z.object({
  tool: InvestigationToolSchema,
  success: z.boolean(),
  confidence,
  duration: z.number(),
  elementsFound: z.number().optional(),
  summary: z.string().optional(),
});

export const elementDiscovery = z.object({
  selector: z.string(),
  elementType: z.string(),
  confidence,
  discoveryMethod: z.string(),
  isReliable: z.boolean(),
  properties: z.record(z.string(), z.any()).optional(),
});

export const workingMemory = z.object({
  updateType: WorkingMemoryUpdateTypeSchema,
  elementsKnown: z.number(),
  patternsLearned: z.number(),
  confidence,
  source: z.string(),
});

export const progress = z.object({
  sessionId: z.string(),
  totalSteps: z.number(),
  completedSteps: z.number(),
  currentStepIndex: z.number(),
  overallProgress: z.number().min(0).max(100),
  estimatedTimeRemaining: z.number().optional(),
});
