import { addDecimals } from '../../contracts/models/usage';
import type { EvalRun, FailureKind } from './eval-result';

/** The runs with one model. */
export interface ModelSummary extends SuccessRate {
  model: string;
  /** Runs in which the model reported success and a check said otherwise. */
  falseSuccesses: number;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** US dollars as decimal text. */
  cost: string;
  unpricedCalls: number;
  medianMs: number;
  failures: Partial<Record<FailureKind, number>>;
}

const FALSE_SUCCESS: readonly FailureKind[] = ['page', 'answer', 'variables', 'state', 'outcome'];

export function summarize(runs: readonly EvalRun[]): ModelSummary[] {
  return [...new Set(runs.map(({ model }) => model))].map((model) => {
    const own = runs.filter((run) => run.model === model);
    const sum = (member: 'calls' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'unpricedCalls') =>
      own.reduce((total, { usage }) => total + usage[member], 0);
    const kinds = own.flatMap(({ failure }) => (failure === undefined ? [] : [failure.kind]));
    return {
      model,
      ...successRate(own.length - kinds.length, own.length),
      falseSuccesses: kinds.filter((kind) => FALSE_SUCCESS.includes(kind)).length,
      calls: sum('calls'),
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cachedTokens: sum('cachedTokens'),
      cost: addDecimals(own.map(({ usage }) => usage.cost)),
      unpricedCalls: sum('unpricedCalls'),
      medianMs: median(own.map(({ durationMs }) => durationMs)),
      failures: Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((each) => each === kind).length])),
    };
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

export interface SuccessRate {
  passed: number;
  runs: number;
  /** From 0 to 1, like the bounds. */
  rate: number;
  low: number;
  high: number;
}

/** Of 95 % of the intervals that are made so, the true rate lies inside. */
const Z = 1.959_963_984_540_054;

/** Computes a rate with its Wilson interval, which holds for few runs and for rates near 0 and 1 as well. */
export function successRate(passed: number, runs: number): SuccessRate {
  if (runs === 0) return { passed, runs, rate: 0, low: 0, high: 1 };
  const rate = passed / runs;
  const square = Z ** 2;
  const center = (rate + square / (2 * runs)) / (1 + square / runs);
  const half = (Z / (1 + square / runs)) * Math.sqrt((rate * (1 - rate)) / runs + square / (4 * runs ** 2));
  return { passed, runs, rate, low: Math.max(0, center - half), high: Math.min(1, center + half) };
}
