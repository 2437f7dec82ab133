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
