import { CancellationScope, sleep } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import { waitOutPause } from '../browsers/release';
import type { PauseControl } from './pause';
import type { SessionRun } from '../sessions/session-run';

/** What is kept of a step that has ended: enough to tell which one it was. */
const FOLDED_LENGTH = 200;

/**
 * A conversation after its last task: it waits for another one, for its end, or until it has been idle for too long. Its
 * clock stands still, and after a while its browser is given back. True when there is more to do.
 */
export async function waitForTask(run: SessionRun, pause: PauseControl): Promise<boolean> {
  const { idleTimeoutMs } = run.config.agent;
  const hasMore = (): boolean => run.stepIndex < run.steps.length;
  let isIdleTooLong = false;
  const idling = new CancellationScope({ cancellable: true });
  if (idleTimeoutMs !== undefined) {
    const idle = async (): Promise<void> => {
      await sleep(idleTimeoutMs, { summary: 'end the conversation when it is idle for so long' });
      isIdleTooLong = true;
    };
    idling.run(idle).catch(() => {});
  }
  const isOver = (): boolean => hasMore() || run.isClosing || isIdleTooLong;
  if (!isOver()) {
    run.record('executor-streamer', StreamEventType.SESSION_STATUS, {
      message: 'Waiting for the next task.',
      details: { status: run.status, waitingFor: 'task' },
    });
  }
  run.isIdle = true;
  run.updateDetails();
  run.clock.stop('idle');
  try {
    // Who reads along has to see the end of the last task before anybody sends another one.
    if (!isOver()) await run.publish('wait for the next task');
    while (!isOver()) {
      await waitOutPause(run, () => !isOver() && !pause.isRequested);
      if (pause.isRequested) await pause.safePoint();
    }
  } finally {
    idling.cancel();
    run.isIdle = false;
    run.clock.start('idle');
  }
  return hasMore();
}

/** A finished step of a conversation: its text stands in the store, and the next one must find room. */
export function foldStep(run: SessionRun, stepIndex: number): void {
  run.steps[stepIndex] = { instruction: run.steps[stepIndex]!.instruction.slice(0, FOLDED_LENGTH) };
}
