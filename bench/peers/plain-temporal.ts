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
      const [worker, ...more] = stackProcesses(harness, (name) => name === PLAIN_WORKER);
      // Without a Chromium it drives nothing.
      return Promise.resolve(more.length === 0 ? undefined : worker);
    },
    processes: () => stackProcesses(harness, (name) => name === PLAIN_WORKER || name === 'temporal'),
  };
}
