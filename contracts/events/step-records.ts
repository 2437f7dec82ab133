import type { StandardError } from '../errors/standard-error';
import type { StreamEventData } from './stream-event';
import type { ExecutionProgress } from '../sessions/progress';
import { StepStatus } from '../steps/step-result';

/** The end of a step repeats the beginning of a text that its start has whole: both may go to the store at once. */
const LONGEST_REPEATED = 10_000;

/** What STEP_STARTED says. */
export function startedStep(stepIndex: number, instruction: string): StreamEventData {
  return { step: { stepIndex, stepContent: instruction, status: StepStatus.IN_PROGRESS, progress: 0 } };
}

/** What STEP_COMPLETED and STEP_FAILED say. */
export function endedStep(
  stepIndex: number,
  instruction: string,
  status: StepStatus.COMPLETED | StepStatus.FAILED | StepStatus.CANCELLED,
  error?: StandardError,
): StreamEventData {
  return {
    step: {
      stepIndex,
      stepContent: instruction.slice(0, LONGEST_REPEATED),
      status,
      ...(status === StepStatus.COMPLETED ? { progress: 100 } : {}),
    },
    ...(error === undefined ? {} : { error }),
  };
}

/** What WORKFLOW_PROGRESS says. */
export function progressMade(made: ExecutionProgress): StreamEventData {
  const { currentStepName, averageStepDuration: _average, lastActivity: _last, ...progress } = made;
  return { progress, details: { currentStepName } };
}
