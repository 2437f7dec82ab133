import { ApplicationFailure } from '@temporalio/workflow';
import { toCancellation } from '../../contracts/errors/cancellation';
import { originOf, type StandardError } from '../../contracts/errors/standard-error';
import type { RunningSession } from './session-state';

export function cancelledError(session: RunningSession, stepIndex?: number): StandardError {
  return toCancellation(
    session.error('TL004', 'The session was cancelled.', {
      stepIndex,
      suggestedAction:
        'Look with `npx surefoot show` at what it has done: a session that is started again does it a second time.',
    }),
  );
}

/** The time limit of the session was reached, and has cancelled the step that runs. */
export function sessionTimeUpError(session: RunningSession, stepIndex?: number): StandardError {
  const limit = session.config.timeouts.workflowTimeoutMs / 1000;
  const message = `The session used up its ${limit} s of active time (workflowTimeoutMs).`;
  return session.error('SP003', message, { stepIndex });
}

/** The failure with which the workflow itself ends: its type is the code of the error that began it, its causes are below it. */
export function toWorkflowFailure(error: StandardError): ApplicationFailure {
  const { message, cause } = error;
  return ApplicationFailure.create({
    message,
    type: originOf(error).code,
    nonRetryable: true,
    details: [error],
    ...(cause === undefined ? {} : { cause: toWorkflowFailure(cause) }),
  });
}
