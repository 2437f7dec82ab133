import { isObject } from '../../contracts/json';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { StepInput } from '../../contracts/sessions/step-input';
import type { EvalCase, EvalFile } from './eval-file';

/** The model under test neither opens the first page nor judges the last one. */
const BY_RULES = { aiConfig: { model: 'rules' } };

/** What is undefined is as the file, or the stack, says. */
export interface ModelUnderTest {
  model: string | undefined;
  /** How long a call may take. */
  timeoutMs: number | undefined;
}

export interface PlannedRun {
  request: StartRequest;
  /** How many of its steps come before those of the case. */
  stepsBefore: number;
}

/** Builds the session of a run. It stays open, so that expectations are given, and seen by the model, not before its end. */
export function planRun(file: EvalFile, own: EvalCase, { model, timeoutMs }: ModelUnderTest): PlannedRun {
  const { start, steps = [], task, variables, secrets } = own;
  const opening: StepInput[] =
    start === undefined || task !== undefined ? [] : [{ instruction: `Open ${start}`, ...BY_RULES }];
  const tasks: StepInput[] = task === undefined ? [] : [{ task, ...(start === undefined ? {} : { url: start }) }];
  const { tokens = file.budget.tokens, cost = file.budget.cost, seconds = file.budget.seconds } = own.budget ?? {};
  const budget = {
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
    ...(cost === undefined ? {} : { maxCost: cost }),
    maxTimeMs: Math.ceil(seconds * 1000),
    whenReached: 'end',
  };
  const aiConfig = {
    ...(model === undefined ? {} : { model }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const over = { agent: { stayOpen: true }, budget, ...(Object.keys(aiConfig).length === 0 ? {} : { aiConfig }) };
  const config = merged(merged(file.config, own.config), over);
  return {
    request: {
      steps: [...opening, ...steps, ...tasks],
      config: config as StartRequest['config'],
      ...(variables === undefined ? {} : { variables }),
      ...(secrets === undefined ? {} : { secrets }),
    },
    stepsBefore: opening.length,
  };
}

export function pageSteps(sentences: readonly string[]): StepInput[] {
  return sentences.map((instruction) => ({ instruction, ...BY_RULES }));
}

function merged(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(over).map(([key, value]) => {
    const before = base[key];
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
