import { condition, setHandler } from '@temporalio/workflow';
import { inputIssues } from '../../contracts/errors/issues';
import type { Accepted } from '../../contracts/messages/accepted';
import { ClientCallStatusSchema, type ClientCallStatus } from '../../contracts/tools/client-call-status';
import type { SessionProgress } from '../../contracts/sessions/progress';
import type { SessionRun } from '../sessions/session-run';
import { noteCallUpdate, progressQuery, recoveryQuery, stateQuery, verifyStoreSignal } from './definitions';
import { accepted, checkOpen, orIgnored, refuse, refuseInput } from './refusals';

/** A worker that has just taken the session over may get the status of a call before it has come to where it was sent. */
const CALL_STATUS_WAIT_MS = 2000;

/** Installs the handlers of the queries, and of what workers and callers' processes say. */
export function handleEngine(run: SessionRun): void {
  setHandler(stateQuery, () => accepted(run), {
    description: 'Status, whether a pause is requested, number of steps.',
  });
  const ofProgress = 'How far it is: status, steps done, the current step, an estimate of the time left.';
  setHandler(progressQuery, () => sessionProgress(run), { description: ofProgress });
  const ofRecovery = 'What the session knows that its database may have forgotten; the engine workers read it.';
  setHandler(recoveryQuery, () => run.recovery.toQuery(), { description: ofRecovery });
  handleVerifyStore(run);
  handleCallStatus(run);
}

function sessionProgress({ session }: SessionRun): SessionProgress {
  // A payload has no dates.
  const { lastActivity: _lastActivity, ...progress } = session.progress();
  return { ...progress, status: session.status };
}

function handleVerifyStore({ session }: SessionRun): void {
  const verify = async (): Promise<void> => {
    // A signal may come before the session's row is there, and to one that is about to write its end.
    await condition(() => session.id !== '' || session.isEnding);
    if (!session.isEnding) await session.publishAgain('compare what is known with the database');
  };
  const description =
    'Sent by the engine workers when the database has started: the session compares what it knows with it.';
  setHandler(verifyStoreSignal, () => orIgnored(verify), { description });
}

function handleCallStatus(run: SessionRun): void {
  const verb = 'given the status of a call';
  const { calls, remoteCalls } = run.task;
  const mayNote = (status: ClientCallStatus): void => {
    checkOpen(run, verb);
    const issues = inputIssues(ClientCallStatusSchema, status);
    if (issues.length > 0) refuseInput(issues);
  };
  const note = async (status: ClientCallStatus): Promise<Accepted> => {
    const isCurrent = (): boolean => remoteCalls.isCurrent(status);
    if (!isCurrent())
      await condition(isCurrent, CALL_STATUS_WAIT_MS, { summary: 'wait for the call that this status is of' });
    const isCancelled = calls.cancellationOf(status.callId) !== undefined;
    if (isCancelled || !isCurrent()) refuse(verb, `not waiting for ${status.callId} from this process any more`);
    remoteCalls.setStatus(status);
    return accepted(run);
  };
  const description = "The status of a tool call from the caller's process.";
  setHandler(noteCallUpdate, note, { validator: mayNote, description });
}
