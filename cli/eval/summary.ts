import { addDecimals } from '../../contracts/models/usage';
import type { EvalRun, FailureKind } from './eval-result';
import { successRate, type SuccessRate } from './success-rate';

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
