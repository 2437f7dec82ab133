import { sleep } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { RunningSession } from '../state/session-state';

/**
 * Waits, without a browser and with the clock stopped, until the session may begin (`notBefore`). Temporal's start delay would
 * end with the first message to the session.
 */
export async function waitUntilDue(session: RunningSession): Promise<void> {
  const { notBefore } = session.start.plan;
  if (notBefore === undefined) return;
  const delayMs = Date.parse(notBefore) - Date.now();
  if (delayMs <= 0) return;
  session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
    message: `Waiting until ${notBefore}.`,
    details: { status: session.status, waitingFor: 'start' },
  });
  session.details.setWait('start', `waiting until ${notBefore}`);
  session.showDetails();
  session.clock.stop('start');
  try {
    await session.publish('wait until the session may begin');
    await sleep(delayMs, { summary: `begin at ${notBefore}` });
  } finally {
    session.details.setWait('start', undefined);
    session.clock.start('start');
  }
}
