import type { WorkerOptions } from '@temporalio/worker';

/** Limits concurrent polls; the SDK ignores `maxConcurrent…TaskPolls` (1.24 takes ten, whatever they are). */
export function atMostPollers(maximum: number): NonNullable<WorkerOptions['activityTaskPollerBehavior']> {
  return { type: 'simple-maximum', maximum };
}
