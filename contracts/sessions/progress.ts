import { z } from 'zod';
import type { SessionStatus } from './session';

/** S1.60: how far a session is; durations in milliseconds, `overallProgress` 0 to 100. */
export const ExecutionProgressSchema = z.object({
  sessionId: z.string(),
  totalSteps: z.number(),
  completedSteps: z.number(),
  currentStepIndex: z.number(),
  currentStepName: z.string(),
  overallProgress: z.number().min(0).max(100),
  estimatedTimeRemaining: z.number().optional(),
  averageStepDuration: z.number(),
  lastActivity: z.coerce.date(),
});
export type ExecutionProgress = z.infer<typeof ExecutionProgressSchema>;

/** The query that a session's workflow answers with its progress. */
export const PROGRESS_QUERY = 'progress';

/** S1.60 as the workflow itself knows it, which a query returns without the time. */
export interface SessionProgress extends Omit<ExecutionProgress, 'lastActivity'> {
  status: SessionStatus;
}

/** Computes progress from the measured steps: the remaining time is their mean duration times the open steps. */
export function progressOf(facts: {
  sessionId: string;
  totalSteps: number;
  completedSteps: number;
  /** Of the completed steps together. */
  durationMs: number;
  currentStepName: string;
  currentStepIndex: number;
  lastActivity: Date;
}): ExecutionProgress {
  const { totalSteps, completedSteps, durationMs } = facts;
  const average = completedSteps === 0 ? 0 : durationMs / completedSteps;
  return {
    sessionId: facts.sessionId,
    totalSteps,
    completedSteps,
    currentStepIndex: facts.currentStepIndex,
    currentStepName: facts.currentStepName,
    overallProgress: totalSteps === 0 ? 0 : Math.round((completedSteps / totalSteps) * 100),
    ...(completedSteps === 0 ? {} : { estimatedTimeRemaining: Math.round(average * (totalSteps - completedSteps)) }),
    averageStepDuration: Math.round(average),
    lastActivity: facts.lastActivity,
  };
}
