import { z } from 'zod';
import { onceOf, OnceSchema } from './once';
import { pageWaitInput } from './step-waits';
import { checkOf } from './site-check';
import { AgentConfigSchema, type AgentConfig } from '../tasks/agent-config';
import { ProcessingConfigSchema, processingRequestOf, StepProcessingRequestSchema } from './processing';
import type { SessionPlan } from './start-request';
import { StepInputSchema, type Step, type StepInput } from './step-input';
import type { SessionConfig } from './config';
import { TimeoutConfigSchema } from './timeouts';

/** The request of a session: steps and tasks as they were given, the configuration with every default filled in. */
export const GivenRequestSchema = StepProcessingRequestSchema.extend({
  steps: z.array(StepInputSchema),
  config: ProcessingConfigSchema.extend({
    agent: AgentConfigSchema.partial(),
    timeouts: TimeoutConfigSchema,
    once: OnceSchema.optional(),
  }),
});
export type GivenRequest = z.infer<typeof GivenRequestSchema>;

export function givenRequestOf({ steps, config, metadata }: SessionPlan): GivenRequest {
  const { config: own, ...request } = processingRequestOf([], config, metadata);
  return {
    ...request,
    steps: steps.map((step) => givenStepOf(step, config)),
    config: {
      ...own,
      agent: givenAgentOf(config),
      timeouts: config.timeouts,
      ...(config.once === undefined ? {} : { once: config.once }),
    },
  };
}

/** Without an approval mode that was not given: naming one has steps ask. */
function givenAgentOf({ agent: { approvalMode, ...agent }, asksInSteps }: SessionConfig): Partial<AgentConfig> {
  return asksInSteps === true ? { approvalMode, ...agent } : agent;
}

/** With the options in which the step differs from its session. */
function givenStepOf({ instruction, task, options, once, check, wait }: Step, config: SessionConfig): StepInput {
  const { aiConfig, timeoutMs } = options;
  const ownKey = {
    ...(once?.covers === 'step' ? { once: onceOf(once) } : {}),
    ...(check === undefined ? {} : { check: checkOf(check) }),
  };
  const differs = {
    ...ownKey,
    ...(timeoutMs === config.timeouts.stepTimeoutMs ? {} : { timeoutMs }),
    ...differing({ aiConfig: differing(aiConfig, config.ai) }, { aiConfig: undefined }),
  };
  if (task?.call !== undefined)
    return { ...task.call, ...(timeoutMs === config.timeouts.stepTimeoutMs ? {} : { timeoutMs }), ...ownKey };
  if (task !== undefined) {
    const { isExtract, call: _call, ...given } = task;
    const said = isExtract === true ? { extract: instruction } : { task: instruction };
    return { ...said, ...withoutUndefined(given), ...differs };
  }
  const { maxIterations, reflectionEnabled, validationMode, retryOnFailure, maxRetries } = options;
  const own = {
    ...differing(
      { maxIterations, reflectionEnabled, validationMode, retryOnFailure, maxRetries },
      { ...config, reflectionEnabled: config.enableReflection },
    ),
    ...differs,
    ...(wait === undefined ? {} : pageWaitInput(instruction, wait)),
  };
  return Object.keys(own).length === 0 ? instruction : { instruction, ...own };
}

/** The members that are not the same in the other one; undefined where all are. */
function differing<T extends object>(one: T, other: object): Partial<T> | undefined {
  const rest = Object.entries(one).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify((other as Record<string, unknown>)[key]),
  );
  return rest.length === 0 ? undefined : (Object.fromEntries(rest) as Partial<T>);
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
