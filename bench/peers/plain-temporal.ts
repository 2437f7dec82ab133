import type { Harness } from '../harness/harness';
import { NAIVE_QUEUE } from '../naive/queue';
import { stackProcesses } from './stack-processes';
import { RUN_LIMIT_MS, type System } from './system';

/** The one worker, so that a kill always hits the one that drives. */
export const PLAIN_WORKER = 'naive-1';

/** The script as an activity that Temporal retries. */
export function plainTemporal(harness: Harness): System {
  const { temporal, shop } = harness;
  return {
    name: 'temporal + playwright',
    isOurs: false,
    async order(run) {
      const handle = await temporal.workflow.start('naive', {
        workflowId: run,
        taskQueue: NAIVE_QUEUE,
        args: [shop, run],
        workflowExecutionTimeout: RUN_LIMIT_MS,
      });
      return await handle.result().then(
        () => ({ end: 'well' as const }),
        (error: Error) => ({ end: error.cause?.constructor.name === 'TimeoutFailure' ? 'never' : 'failed' }),
      );
    },
    findVictim() {
      const worker = harness.stack.processes().find(({ name, alive }) => name === PLAIN_WORKER && alive);
      // Without a Chromium it drives nothing.
      const isDriving = stackProcesses(harness, (name) => name === PLAIN_WORKER).length > 1;
      return Promise.resolve(isDriving ? worker?.pid : undefined);
    },
    processes: () => stackProcesses(harness, (name) => name === PLAIN_WORKER || name === 'temporal'),
  };
}
