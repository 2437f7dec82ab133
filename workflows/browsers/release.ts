import { CancellationScope, condition } from '@temporalio/workflow';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { endingActivities } from '../activities/proxies';
import { applicationFailureOf, errorOf } from '../activities/failures';
import { acquireAhead } from './run-batch';
import type { SessionRun } from '../sessions/session-run';

const PATIENCE = { summary: 'give the browser back if the pause lasts' };

/**
 * Waits for the end of a pause. One that lasts gives the session's browser back: the checkpoint first, then its end. A
 * browser that can't be given back now is kept, and it is tried again after twice the time.
 */
export async function waitOutPause(run: SessionRun, isPaused: () => boolean): Promise<void> {
  const isOver = (): boolean => !isPaused();
  for (let patienceMs = run.pauseReleaseMs; patienceMs > 0; patienceMs *= 2) {
    if (run.lease === undefined && run.acquiring === undefined) break;
    if (await condition(isOver, patienceMs, PATIENCE)) return;
    // One that is only being started is waited for, as long as the pause lasts: given up, nobody would end it.
    if (run.acquiring !== undefined) await Promise.race([takeAcquired(run).catch(() => {}), condition(isOver)]);
    if (isOver()) return;
    // In one piece, so that whatever comes meanwhile finds a browser or none, never half of one.
    await CancellationScope.nonCancellable(() => giveBack(run));
  }
  await condition(isOver);
}

async function giveBack(run: SessionRun): Promise<void> {
  const { lease, sessionId } = run;
  if (lease === undefined) return;
  // A conversation that waits is behind its last step.
  const stepIndex = Math.min(run.stepIndex, run.steps.length - 1);
  const { timeouts } = run.config;
  const input = { sessionId, stepIndex, lease };
  try {
    await endingActivities(lease, 'worker', timeouts)
      .releaseBrowser(input)
      .catch(() => endingActivities(lease, 'host', timeouts).releaseBrowser(input));
    tell(run, 'The pause lasts: the browser was given back. The next one gets what it knew.', 'given-back');
  } catch (error) {
    if (applicationFailureOf(error)?.type !== BROWSER_GONE) {
      const { message } = errorOf(error, 'EX001');
      tell(run, `The pause lasts, but the browser could not be given back now and is kept: ${message}`, 'kept');
      return await run.publish('the browser is kept');
    }
    tell(run, 'The browser was lost during the pause. The next one gets what was kept of it.', 'lost');
  }
  run.lease = undefined;
  run.awayFrom = stepIndex;
  await run.publish('the browser was given back');
}

/** After the pause: another browser for the one that was given back, before anything is decided for its page. */
export async function restoreBrowser(run: SessionRun, isPauseAsked: () => boolean): Promise<void> {
  if (run.awayFrom === undefined) return;
  if (run.acquiring === undefined) acquireAhead(run, { stepIndex: run.awayFrom });
  await Promise.race([takeAcquired(run), condition(isPauseAsked)]);
}

async function takeAcquired(run: SessionRun): Promise<void> {
  const { acquiring } = run;
  try {
    const lease = await acquiring;
    if (lease === undefined || run.acquiring !== acquiring) return;
    run.lease = lease;
    run.acquiring = undefined;
  } catch (error) {
    // Whoever needs one next begins anew.
    if (run.acquiring === acquiring) run.acquiring = undefined;
    throw error;
  }
  if (run.awayFrom === undefined) return;
  run.awayFrom = undefined;
  if (run.lease.isPageChanged === false) return tell(run, 'Another browser has the page as it was left.', 'same-page');
  run.pagesReplaced += 1;
  tell(run, 'Another browser has what was kept; the page is not as it was left and is looked at anew.', 'changed-page');
}

function tell(run: SessionRun, message: string, browser: string): void {
  run.record('executor-streamer', StreamEventType.SESSION_STATUS, {
    message,
    details: { status: run.status, browser },
  });
}
