import { ApplicationFailure, log } from '@temporalio/workflow';
import type { Accepted } from '../../contracts/sessions/order';
import { WRONG_STATE } from '../messages';
import type { SessionRun } from './session-run';
import { inputIssues, type Issue } from '../../contracts/errors/issues';

/** Refuses a message that makes no sense in the state of the session. */
export function refuse(what: string, state: string): never {
  return refuseState(`The session can't be ${what}: it is ${state}.`, state);
}

export function refuseState(message: string, state: string): never {
  throw ApplicationFailure.create({ message, type: WRONG_STATE, nonRetryable: true, details: [{ state }] });
}

export function refuseInput(issues: Issue[]): never {
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  throw ApplicationFailure.create({ message, type: 'SP001', nonRetryable: true, details: [{ issues }] });
}

/** Refuses an input that does not fit the schema. */
export function checkInput(schema: Parameters<typeof inputIssues>[0], input: unknown): void {
  const issues = inputIssues(schema, input);
  if (issues.length > 0) refuseInput(issues);
}

export function checkOpen({ session }: SessionRun, what: string): void {
  if (session.isEnded) refuse(what, session.status);
  if (session.isCancelled) refuse(what, 'being cancelled');
  if (session.isEnding) refuse(what, 'about to end');
}

/** What an accepted message is answered with. */
export function accepted({ session, pause }: SessionRun): Accepted {
  return { status: session.status, pauseRequested: pause.isRequested, totalSteps: session.steps.total };
}

/** Makes a signal handler: a signal can't be refused, so one that makes no sense now is logged and dropped. */
export function ifAllowed<A extends unknown[]>(check: (...args: A) => void, change: (...args: A) => unknown) {
  return async (...args: A): Promise<void> => {
    try {
      check(...args);
      await change(...args);
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
      log.warn('a signal was ignored', { reason: error.message });
    }
  };
}
