import { isExtractStep, resultOfWords } from '../results/extract-words';
import type { ResultRequest } from '../results/result-request';
import { shortened } from '../text';
import { DEFAULT_MODEL, type SessionConfig } from './config';
import { stepOnce } from './once';
import { pageWaitOf } from './step-waits';
import { siteCheck } from './site-check';
import { MAX_STEP_LENGTH, type OwnOptions, type Step, type StepInput, type StepOptions } from './step-input';

/** Steps of validated inputs, with their options decided. */
export function toSteps(inputs: readonly StepInput[], config: SessionConfig, result?: ResultRequest): Step[] {
  const steps = inputs.map((input): Step => ({
    ...toStep(input, config, result),
    ...keyOf(input, config),
    ...checkIn(input),
    ...waitIn(input),
  }));
  if (result === undefined) return steps;
  const last = steps.findLastIndex(({ task }) => task !== undefined && task.call === undefined);
  if (last === -1) {
    const task = { result, isExtract: true as const };
    return [...steps, { instruction: 'Extract the result', options: stepOptions({}, config), task }];
  }
  return steps.map((step, index) => {
    const isWanted = index === last || (step.task?.isExtract === true && step.task.result === undefined);
    return isWanted ? { ...step, task: { ...step.task, result } } : step;
  });
}

function toStep(input: StepInput, config: SessionConfig, result: ResultRequest | undefined): Step {
  if (typeof input === 'string') {
    const said = { instruction: input.trim(), options: stepOptions({}, config) };
    return isExtractStep(input, result !== undefined) && config.agent.executor === 'playwright'
      ? { ...said, task: { result: resultOfWords(input), isExtract: true } }
      : said;
  }
  if ('tool' in input) return toCallStep(input, config);
  if ('extract' in input) {
    const { extract, url, maxSteps, result: own = resultOfWords(`Extract ${extract}`), ...options } = input;
    const instruction = /^extract\b/i.test(extract) ? extract : `Extract ${extract}`;
    const task = { url, maxSteps, result: own, isExtract: true as const };
    return { instruction, options: stepOptions(options, config), task };
  }
  if (!('task' in input)) {
    const { instruction, wait: _wait, ...own } = input;
    return { instruction: instruction.trim(), options: stepOptions(own, config) };
  }
  const { task, url, context, history, maxSteps, images, result: own, ...options } = input;
  return {
    instruction: task.trim(),
    options: stepOptions(options, config),
    task: { url, context, history, maxSteps, images, ...(own === undefined ? {} : { result: own }) },
  };
}

/** Its own key, or that of the session. */
function keyOf(input: StepInput, { once }: SessionConfig): Pick<Step, 'once'> {
  const own = typeof input === 'object' && 'once' in input ? input.once : undefined;
  if (own !== undefined) return { once: stepOnce(own, 'step') };
  return once === undefined ? {} : { once: stepOnce(once, 'session') };
}

function checkIn(input: StepInput): Pick<Step, 'check'> {
  const check = typeof input === 'object' && 'check' in input ? input.check : undefined;
  return check === undefined ? {} : { check: siteCheck(check) };
}

function waitIn(input: StepInput): Pick<Step, 'wait'> {
  const wait = pageWaitOf(input);
  return wait === undefined ? {} : { wait };
}

/** A turn makes the call, and a second one ends the step with its result. */
const TURNS_OF_CALL = 2;

function toCallStep({ tool, args, ...own }: Extract<StepInput, { tool: string }>, config: SessionConfig): Step {
  return {
    instruction: shortened(`${tool} ${JSON.stringify(args)}`, MAX_STEP_LENGTH),
    options: stepOptions(own, config),
    task: { maxSteps: TURNS_OF_CALL, call: { tool, args } },
  };
}

function stepOptions({ aiConfig = {}, ...own }: OwnOptions, config: SessionConfig): StepOptions {
  const given = Object.entries(aiConfig).filter(([, value]) => value !== undefined);
  const model = modelOfStep(aiConfig, config);
  const limit = own.timeoutMs ?? config.timeouts.stepTimeoutMs;
  const ai = { ...config.ai, ...Object.fromEntries(given) };
  return {
    maxIterations: own.maxIterations ?? config.maxIterations,
    reflectionEnabled: own.reflectionEnabled ?? config.enableReflection,
    validationMode: own.validationMode ?? config.validationMode,
    timeoutMs: limit,
    retryOnFailure: own.retryOnFailure ?? config.retryOnFailure,
    maxRetries: own.maxRetries ?? config.maxRetries,
    aiConfig: { ...ai, model, timeoutMs: Math.min(ai.timeoutMs, limit) },
  };
}

/** The model of the session is none of another connection, which has one of its own. */
export function modelOfStep(
  { model, connectionId }: NonNullable<OwnOptions['aiConfig']>,
  { ai }: SessionConfig,
): string {
  const isOther = connectionId !== undefined && connectionId !== ai.connectionId;
  return model ?? (isOther ? DEFAULT_MODEL : ai.model);
}
