import type { WorkerOptions } from '@temporalio/worker';

/** So many polls at once; `maxConcurrent…TaskPolls` say nothing to the SDK any more (1.24 takes ten, whatever they are). */
export function atMostPollers(maximum: number): NonNullable<WorkerOptions['activityTaskPollerBehavior']> {
  return { type: 'simple-maximum', maximum };
}
