import { ApplicationFailure, TemporalFailure, condition, log } from '@temporalio/workflow';
import type { Accepted } from '../../contracts/sessions/order';
import { WRONG_STATE } from '../messages';
import type { SessionRun } from './session-run';
import type { Issue } from '../../contracts/errors/issues';
import { messageIssues, type MessageWithInput } from '../../contracts/sessions/message-issues';
import { engineActivities } from '../proxies/activity-proxies';

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

/** Refuses an input that is not valid. For validators of updates, which a replay does not run again. */
export function checkInput({ session }: SessionRun, kind: MessageWithInput, input: unknown): void {
  const issues = messageIssues(kind, input, session.config);
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
  return (...args: A): Promise<void> =>
    orIgnored(async () => {
      check(...args);
      await change(...args);
    });
}

/**
 * Makes a handler of a signal with an input. An activity validates the input: its result is in the history, so a replay does
 * not validate with a schema that may be newer.
 */
export function ifValid<T>(
  run: SessionRun,
  kind: MessageWithInput,
  check: (input: T) => void,
  change: (input: T) => unknown,
) {
  const { session } = run;
  return (input: T): Promise<void> =>
    orIgnored(async () => {
      // A message may come before the session's row is there.
      await condition(() => session.id !== '' || session.isEnding);
      checkOpen(run, 'given this message');
      const { id: sessionId } = session;
      const issues = await engineActivities(`check ${kind}`).checkMessage({ sessionId, kind, input });
      if (issues.length > 0) refuseInput(issues);
      check(input);
      await change(input);
    });
}

async function orIgnored(handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    log.warn('a signal was ignored', { reason: error.message });
  }
}
