import { allHandlersFinished, condition, sleep } from '@temporalio/workflow';
import type { AbandonedSession } from '../../activities/signatures/engine-activities';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { engineActivities } from '../proxies/activity-proxies';
import { errorOf, isSuperseded } from '../proxies/failures';
import { cancelledError } from '../state/errors';
import { confirmAfterReset } from './after-reset';
import type { SessionRun } from './session-run';

/** `superseded`: another run owns the session. */
export type SessionEnding =
  | { kind: 'completed' }
  | { kind: 'superseded'; error: StandardError }
  | { kind: 'failed'; error: StandardError }
  | { kind: 'cancelled'; cause: unknown };

/**
 * Ends a session: closes its browser, then records the terminal event; nothing comes after it (S1.A30). Resolves to the session
 * that goes on in its place, if any does.
 */
export async function endSession(run: SessionRun, ending: SessionEnding): Promise<AbandonedSession> {
  const { session, browser, batch } = run;
  session.beginEnding();
  await condition(allHandlersFinished, '5 seconds', { summary: 'let messages that came last be answered' });
  await browser.close();
  if (ending.kind === 'superseded') return await abandon(run, ending.error);
  // A session that was not even opened has no row and no log.
  if (session.id === '') return {};
  if (batch.ended !== undefined)
    await Promise.race([batch.ended, sleep('1 second', { summary: 'let the stopped commands report their end' })]);
  recordEnding(run, ending);
  try {
    await session.publish(session.status.toLowerCase());
    await confirmAfterReset(run);
  } catch (error) {
    // A cancellation comes along with a reset, and the reset may be to the very end.
    if (!isSuperseded(error)) throw error;
    return await abandon(run, errorOf(error, 'SP002'));
  }
  return {};
}

async function abandon({ session }: SessionRun, error: StandardError): Promise<AbandonedSession> {
  const input = { error, stepIndex: session.steps.lastIndex };
  return await engineActivities('end the log, or fork the session').abandonSession(input);
}

function recordEnding({ session }: SessionRun, ending: Exclude<SessionEnding, { kind: 'superseded' }>): void {
  if (ending.kind === 'completed') {
    session.record('step-processor', StreamEventType.WORKFLOW_COMPLETED, {
      message: `All ${session.steps.total} steps are done.`,
      details: { activeMs: Math.round(session.clock.activeMs()) },
    });
    return session.close(SessionStatus.COMPLETED);
  }
  const error = ending.kind === 'cancelled' ? cancelledError(session) : ending.error;
  if (ending.kind === 'cancelled') session.setStatus(SessionStatus.CANCELLED);
  session.record('step-processor', StreamEventType.WORKFLOW_FAILED, { message: error.message, error });
  session.outbox.patchRow({ error });
  if (ending.kind === 'cancelled') session.close(SessionStatus.CANCELLED);
  else session.close(SessionStatus.FAILED, error);
}
