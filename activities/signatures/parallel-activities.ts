import type { StandardError } from '../../contracts/errors/standard-error';
import type { ResultSummary } from '../../contracts/results/result';
import type { PlannedStart } from '../../contracts/sessions/start-request';
import type { StepStatus } from '../../contracts/steps/step-result';

/** Activities of a session whose steps run at once, each as a session of its own. */
export interface ParallelActivities {
  /** Creates the session of a step. */
  planParallelStep(input: PlanParallelStepInput): Promise<PlannedParallelStep>;
  /** Which of these steps have ended. What they have saved and returned is then that of their session too. */
  collectParallelSteps(input: { sessionId: string; steps: OpenParallelStep[] }): Promise<EndedParallelStep[]>;
}

export interface PlanParallelStepInput {
  sessionId: string;
  stepIndex: number;
  /** Of the session of the step. */
  workflowId: string;
}

export interface PlannedParallelStep {
  sessionId: string;
  start: PlannedStart;
}

export interface OpenParallelStep {
  stepIndex: number;
  /** The session that it is. */
  sessionId: string;
}

export interface EndedParallelStep {
  stepIndex: number;
  status: StepStatus.COMPLETED | StepStatus.FAILED | StepStatus.CANCELLED;
  error?: StandardError;
  reasoning: string;
  durationMs: number;
  /** The address of its last page. */
  url: string;
  result?: ResultSummary;
}
