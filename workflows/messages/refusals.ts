import { ApplicationFailure, TemporalFailure, log } from '@temporalio/workflow';
import type { Issue } from '../../contracts/errors/issues';
import type { Accepted } from '../../contracts/messages/accepted';
import type { SessionRun } from '../sessions/session-run';
import { WRONG_STATE } from './definitions';

/** Refuses a message that makes no sense in the state of the session. */
export function refuse(verb: string, state: string): never {
  return refuseState(`The session can't be ${verb}: it is ${state}.`, state);
}

export function refuseState(message: string, state: string): never {
  throw ApplicationFailure.create({ message, type: WRONG_STATE, nonRetryable: true, details: [{ state }] });
}

export function refuseInput(issues: Issue[]): never {
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  throw ApplicationFailure.create({ message, type: 'SP001', nonRetryable: true, details: [{ issues }] });
}

export function checkOpen({ session }: SessionRun, verb: string): void {
  if (session.isEnded) refuse(verb, session.status);
  if (session.isCancelled) refuse(verb, 'being cancelled');
  if (session.isEnding) refuse(verb, 'about to end');
}

/** What an accepted message is answered with. */
export function accepted({ session, pause }: SessionRun): Accepted {
  return { status: session.status, pauseRequested: pause.isRequested, totalSteps: session.steps.total };
}

/** Handles a signal, which can't be refused: one that makes no sense now is logged and dropped. */
export async function orIgnored(handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    log.warn('a signal was ignored', { reason: error.message });
  }
}
