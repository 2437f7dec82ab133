import { condition, setHandler } from '@temporalio/workflow';
import type { DecideApprovalRequest } from '../../contracts/approvals/approval';
import type { RevokeApprovalRequest } from '../../contracts/approvals/remembered-approval';
import { resolveUnknownCommand, unknownOutcomeName } from '../../contracts/approvals/unknown-outcome';
import type { CancelCallRequest } from '../../contracts/tools/call-cancellation';
import { ClientCallStatusSchema, type ClientCallStatus } from '../../contracts/tools/client-call-status';
import { ToolCallStatus } from '../../contracts/tools/tool-call';
import type { Accepted } from '../../contracts/sessions/order';
import {
  cancelCallSignal,
  cancelCallUpdate,
  cancelTurnSignal,
  cancelTurnUpdate,
  closeSignal,
  closeUpdate,
  decideApprovalSignal,
  decideApprovalUpdate,
  noteCallUpdate,
  revokeApprovalSignal,
  revokeApprovalUpdate,
} from '../messages';
import { handleOrder } from './handle-order';
import { inputIssues } from '../../contracts/errors/issues';
import { accepted, checkInput, checkOpen, ifAllowed, ifValid, refuse, refuseInput, refuseState } from './refusals';
import type { SessionRun } from './session-run';

const CANCELLED_BY_MESSAGE = 'the user cancelled it.';
/** A worker that has just taken the session over may get the status of a call before it has come to where it was sent. */
const CALL_STATUS_WAIT_MS = 2000;

/** Installs the handlers of what people say to a session of tasks: approvals, cancelled calls and responses, the close. */
export function handleTaskMessages(run: SessionRun): void {
  handleApprovals(run);
  handleRevocations(run);
  handleClose(run);
  handleCancelTurn(run);
  handleCallStatus(run);
  handleCancelCall(run);
}

function handleApprovals(run: SessionRun): void {
  const what = 'given this answer';
  const isWaitedFor = ({ approvalId }: DecideApprovalRequest): void => {
    checkOpen(run, what);
    const { pending } = run.approvals;
    if (pending.some((each) => each.approvalId === approvalId)) return;
    const waited = pending.map((each) => `${each.approvalId} (${each.toolName})`).join(', ');
    refuse(what, waited === '' ? 'not waiting for one' : `waiting for ${waited}, not ${approvalId}`);
  };
  const mayDecide = (decision: DecideApprovalRequest): void => {
    checkOpen(run, what);
    checkInput(run, 'decide-approval', decision);
    isWaitedFor(decision);
  };
  /** Two answers that arrive together may both pass the validator: the second is refused here. */
  const decide = (decision: DecideApprovalRequest): Accepted => {
    isWaitedFor(decision);
    run.approvals.answer(decision);
    return accepted(run);
  };
  handleOrder(run, decideApprovalUpdate, mayDecide, decide);
  setHandler(decideApprovalSignal, ifValid(run, 'decide-approval', isWaitedFor, decide));
}

function handleRevocations(run: SessionRun): void {
  const what = 'asked to revoke an approval';
  const { approvals, session } = run;
  const isStanding = ({ approvalId }: RevokeApprovalRequest): void => {
    checkOpen(run, what);
    if (approvals.remembered.some((each) => each.approvalId === approvalId)) return;
    refuse(what, `not holding ${approvalId} for good`);
  };
  const mayRevoke = (request: RevokeApprovalRequest): void => {
    checkOpen(run, what);
    checkInput(run, 'revoke-approval', request);
    isStanding(request);
  };
  /** Two orders that arrive together may both pass the validator: the second is refused here. */
  const revoke = async (request: RevokeApprovalRequest): Promise<Accepted> => {
    isStanding(request);
    approvals.revoke(request);
    await session.publish(`${request.approvalId} was revoked`);
    return accepted(run);
  };
  handleOrder(run, revokeApprovalUpdate, mayRevoke, revoke);
  setHandler(revokeApprovalSignal, ifValid(run, 'revoke-approval', isStanding, revoke));
}

function handleClose(run: SessionRun): void {
  const { session, conversation } = run;
  const mayClose = (): void => {
    checkOpen(run, 'closed');
    if (!session.config.agent.stayOpen) refuse('closed', 'no conversation: it ends by itself after its last step');
    if (conversation.isClosing) refuse('closed', 'closing');
  };
  const close = (): Accepted => {
    conversation.close();
    return accepted(run);
  };
  handleOrder(run, closeUpdate, mayClose, close);
  setHandler(closeSignal, ifAllowed(mayClose, close));
}

function handleCancelTurn(run: SessionRun): void {
  const what = 'asked to stop its response';
  const { session, batch, task } = run;
  const mayCancelTurn = (_reason: string | undefined): void => {
    checkOpen(run, what);
    if (!session.config.agent.stayOpen) refuse(what, 'no conversation: cancel the session instead');
    if (!task.turns.canCancel) refuse(what, 'not giving one');
  };
  const cancelTurn = (reason: string | undefined): Accepted => {
    task.turns.cancel(typeof reason === 'string' && reason !== '' ? reason : CANCELLED_BY_MESSAGE);
    batch.stop();
    return accepted(run);
  };
  handleOrder(run, cancelTurnUpdate, mayCancelTurn, cancelTurn);
  setHandler(cancelTurnSignal, ifAllowed(mayCancelTurn, cancelTurn));
}

function handleCallStatus(run: SessionRun): void {
  const what = 'given the status of a call';
  const { calls, remoteCalls } = run.task;
  const mayNote = (status: ClientCallStatus): void => {
    checkOpen(run, what);
    const issues = inputIssues(ClientCallStatusSchema, status);
    if (issues.length > 0) refuseInput(issues);
  };
  const note = async (status: ClientCallStatus): Promise<Accepted> => {
    const isCurrent = (): boolean => remoteCalls.isCurrent(status);
    if (!isCurrent()) await condition(isCurrent, CALL_STATUS_WAIT_MS);
    const isCancelled = calls.cancellationOf(status.callId) !== undefined;
    if (isCancelled || !isCurrent()) refuse(what, `not waiting for ${status.callId} from this process any more`);
    remoteCalls.setStatus(status);
    return accepted(run);
  };
  setHandler(noteCallUpdate, note, { validator: mayNote });
}

function handleCancelCall(run: SessionRun): void {
  const { session, task } = run;
  const checkCancellable = ({ callId }: CancelCallRequest): void => {
    const isRunning = task.calls.find(callId)?.status === ToolCallStatus.Executing;
    const obstacle = task.calls.obstacle(callId) ?? (isRunning ? waitForPerson(run) : undefined);
    if (obstacle !== undefined) refuseState(`Call ${callId} can't be cancelled: ${obstacle}.`, obstacle);
  };
  const mayCancelCall = (request: CancelCallRequest): void => {
    checkOpen(run, 'asked to cancel a call');
    checkInput(run, 'cancelCall', request);
    checkCancellable(request);
  };
  const cancelCall = async (request: CancelCallRequest): Promise<Accepted> => {
    checkOpen(run, 'asked to cancel a call');
    checkCancellable(request);
    const { callId, reason = '' } = request;
    // A call that runs records its end itself; of another one nothing may be written for long where another call runs.
    if (task.calls.cancel(callId, reason)) await session.publish(`${callId} was cancelled`);
    return accepted(run);
  };
  handleOrder(run, cancelCallUpdate, mayCancelCall, cancelCall);
  setHandler(cancelCallSignal, ifValid(run, 'cancelCall', checkCancellable, cancelCall));
}

/** A command that was begun in the session's browser and that nobody saw end can't be stopped any more. */
function waitForPerson({ unknownOutcome: { unknown }, session }: SessionRun): string | undefined {
  if (unknown === undefined) return undefined;
  const answer = resolveUnknownCommand(session.id, unknown.commandId);
  return `it was begun, and a person is asked whether ${unknownOutcomeName(unknown)} happened (${answer})`;
}
