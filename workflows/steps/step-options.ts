import type { SessionConfig, ValidationMode } from '../../contracts/sessions/config';
import type { ProcessingOptions } from '../../contracts/sessions/processing';
import type { Step } from '../../contracts/sessions/start-request';
import type { TaskLoopStepRequest } from '../../contracts/steps/task-loop';

/** What a step runs with: its own options before those of the session (S1.A23, S1.A39). */
interface StepOptions {
  maxIterations: number;
  isReflecting: boolean;
  validationMode: ValidationMode;
  timeoutMs: number;
  retries: number;
  ai: SessionConfig['ai'];
}

export function optionsOf(step: Step, config: SessionConfig): StepOptions {
  const isRetried = step.retryOnFailure ?? config.retryOnFailure;
  const maxRetries = step.maxRetries ?? config.maxRetries;
  const given = Object.entries(step.aiConfig ?? {}).filter(([, value]) => value !== undefined);
  return {
    maxIterations: step.maxIterations ?? config.maxIterations,
    isReflecting: step.reflectionEnabled ?? config.enableReflection,
    validationMode: step.validationMode ?? config.validationMode,
    timeoutMs: step.timeoutMs ?? config.timeouts.stepTimeoutMs,
    retries: isRetried ? maxRetries : 0,
    ai: { ...config.ai, ...Object.fromEntries(given) },
  };
}

/** S1.58: what the Task Loop is given of one step, with every option decided. */
export type StepRequest = TaskLoopStepRequest & {
  options: { [K in keyof ProcessingOptions]-?: NonNullable<ProcessingOptions[K]> };
};

export function stepRequestOf(sessionId: string, stepIndex: number, step: Step, config: SessionConfig): StepRequest {
  const { maxIterations, isReflecting, validationMode, timeoutMs, retries, ai } = optionsOf(step, config);
  return {
    sessionId,
    stepIndex,
    stepContent: step.instruction,
    options: {
      maxIterations,
      reflectionEnabled: isReflecting,
      validationMode,
      timeoutMs,
      retryOnFailure: retries > 0,
      maxRetries: retries,
      aiConfig: ai,
    },
  };
}
