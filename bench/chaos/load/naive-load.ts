import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import type { ProcessSpec } from '../../../cli/stack/processes';
import { STOP_ORDER } from '../../../cli/stack/supervisor/stop-order';
import { NAIVE_QUEUE } from '../../naive/queue';
import type { Harness } from '../../harness/harness';
import { ordersOf } from '../verify/orders';
import { retryUntil } from '../retry-until';

/** One flow of the naive engine, with its orders in the shop's book. */
export interface NaiveRun {
  isCompleted: boolean;
  orders: number;
}

const NAIVE = join(__dirname, '..', '..', 'naive');
const END_WITHIN_MS = 240_000;
const PAUSE_MS = 200;

/** Two workers with a temporary folder of their own, whose leftovers are not counted. */
export function naiveProcesses(temporary: string): ProcessSpec[] {
  return ['naive-1', 'naive-2'].map((name) => ({
    name,
    script: join(NAIVE, 'main.js'),
    env: { TMPDIR: temporary },
    stopOrder: STOP_ORDER.worker,
  }));
}

/** Bundles the workflow once for all starts of the two workers, because bundling takes seconds. */
export async function bundleNaive(file: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(NAIVE, 'workflow.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(file, code);
}

/** Runs the same flow in the naive engine in parallel loops, until `finish`. */
export function startNaiveLoad(harness: Harness, count: number): { finish(): Promise<NaiveRun[]> } {
  const runs: NaiveRun[] = [];
  let isFinishing = false;
  async function loop(): Promise<void> {
    while (!isFinishing) {
      const run = randomUUID();
      const isCompleted = await runOnce(harness, run).then(
        () => true,
        () => false,
      );
      runs.push({ isCompleted, orders: (await ordersOf(harness.shop, run)).length });
      await sleep(PAUSE_MS);
    }
  }
  const loops = Promise.all(Array.from({ length: count }, loop));
  loops.catch(() => {});
  return {
    async finish() {
      isFinishing = true;
      await loops;
      return runs;
    },
  };
}

async function runOnce({ temporal, shop }: Harness, run: string): Promise<void> {
  const { workflow } = temporal;
  await retryUntil('a naive flow is started', END_WITHIN_MS, () =>
    workflow
      .start('naive', {
        workflowId: run,
        taskQueue: NAIVE_QUEUE,
        args: [shop, run],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      })
      .catch((error: unknown) => {
        if ((error as Error).name === 'WorkflowExecutionAlreadyStartedError') return true;
        throw error;
      }),
  );
  await retryUntil('a naive flow ends', END_WITHIN_MS, async () => {
    const { status } = await workflow.getHandle(run).describe();
    return status.name === 'RUNNING' ? undefined : status.name;
  });
}
