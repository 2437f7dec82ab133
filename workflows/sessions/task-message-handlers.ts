import { ApplicationFailure, condition, log, setHandler } from '@temporalio/workflow';
import {
  DecideApprovalRequestSchema,
  decisionIssues,
  type DecideApprovalRequest,
} from '../../contracts/approvals/approval';
import { ClientCallStatusSchema, type ClientCallStatus } from '../../contracts/tools/client-call-status';
import { CancelCallRequestSchema, type CancelCallRequest } from '../../contracts/tools/call-cancellation';
import type { ConfigIssue } from '../../contracts/sessions/resolve-config';
import { issuesOf } from '../../contracts/sessions/start-request';
import { resolveUnknownCommand, unknownOutcomeName } from '../../contracts/approvals/unknown-outcome';
import { ToolCallStatus } from '../../contracts/tools/tool-call';
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
  WRONG_STATE,
  type Accepted,
} from '../messages';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from './session-run';

const CANCELLED_BY_MESSAGE = 'the user cancelled it.';
const NOTED = 'told of a call in another process';
const NOTE_WAIT_MS = 2000;

/** What people may say to a session of tasks: answers about calls, the end of a response, the end of the conversation. */
export function handleAgentMessages(run: SessionRun, pause: PauseControl): void {
  const accepted = (): Accepted => ({
    status: run.status,
    pauseRequested: pause.isRequested,
    totalSteps: run.steps.length,
  });
  const mustBeOpen = (what: string): void => {
    if (run.isEnded) refuse(what, run.status);
    if (run.root.consideredCancelled) refuse(what, 'being cancelled');
    if (run.isEnding) refuse(what, 'about to end');
  };

  const mayDecide = (given: DecideApprovalRequest): void => {
    mustBeOpen('given this answer');
    const parsed = DecideApprovalRequestSchema.safeParse(given);
    const issues = parsed.success ? decisionIssues(parsed.data) : issuesOf(parsed.error);
    if (issues.length > 0) refuseInput(issues);
    const { pending } = run.approvals;
    if (pending.some(({ approvalId }) => approvalId === given.approvalId)) return;
    const waited = pending.map(({ approvalId, toolName }) => `${approvalId} (${toolName})`).join(', ');
    refuse(
      'given this answer',
      waited === '' ? 'not waiting for one' : `waiting for ${waited}, not ${given.approvalId}`,
    );
  };
  /** Of two answers that arrive together both may pass the validator: the second is refused here. */
  const decide = (given: DecideApprovalRequest): Accepted => {
    mayDecide(given);
    run.approvals.answer(DecideApprovalRequestSchema.parse(given));
    return accepted();
  };
  const mayClose = (): void => {
    mustBeOpen('closed');
    if (!run.config.agent.stayOpen) refuse('closed', 'no conversation: it ends by itself after its last step');
    if (run.isClosing) refuse('closed', 'closing');
  };
  const close = (): Accepted => {
    run.isClosing = true;
    return accepted();
  };
  const mayCancelTurn = (_reason: string | undefined): void => {
    const what = 'asked to stop its response';
    mustBeOpen(what);
    if (!run.config.agent.stayOpen) refuse(what, 'no conversation: cancel the session instead');
    if (!run.turns.canCancel) refuse(what, 'not giving one');
  };
  const cancelTurn = (reason: string | undefined): Accepted => {
    run.turns.cancel(typeof reason === 'string' && reason !== '' ? reason : CANCELLED_BY_MESSAGE);
    pause.stopBatch();
    return accepted();
  };
  const mayNote = (given: ClientCallStatus): void => {
    mustBeOpen(NOTED);
    const parsed = ClientCallStatusSchema.safeParse(given);
    if (!parsed.success) refuseInput(issuesOf(parsed.error));
  };
  const note = async (given: ClientCallStatus): Promise<Accepted> => {
    const isItsOwn = (): boolean => run.elsewhere.isWith(given);
    // A worker that has just taken the session over may hear of it before it has come to where the call was sent.
    if (!isItsOwn()) await condition(isItsOwn, NOTE_WAIT_MS);
    const isCancelled = run.calls.wishFor(given.callId) !== undefined;
    if (isCancelled || !isItsOwn()) refuse(NOTED, `not waiting for ${given.callId} from this process any more`);
    run.elsewhere.note(given);
    return accepted();
  };

  const mayCancelCall = (given: CancelCallRequest): void => {
    mustBeOpen('asked to cancel a call');
    const parsed = CancelCallRequestSchema.safeParse(given);
    if (!parsed.success) return refuseInput(issuesOf(parsed.error));
    const { callId } = parsed.data;
    const obstacle = run.calls.obstacle(callId) ?? (isRunning(callId) ? waitingForPerson(run) : undefined);
    if (obstacle !== undefined) refuseCall(callId, obstacle);
  };
  const isRunning = (callId: string): boolean => run.calls.find(callId)?.status === ToolCallStatus.Executing;
  const cancelCall = async (given: CancelCallRequest): Promise<Accepted> => {
    mayCancelCall(given);
    const { callId, reason = '' } = CancelCallRequestSchema.parse(given);
    // One that runs tells its end by itself; nothing else may be written for long where another call runs.
    if (run.calls.cancel(callId, reason)) await run.publish(`${callId} was cancelled`);
    return accepted();
  };

  setHandler(decideApprovalUpdate, decide, { validator: mayDecide });
  setHandler(noteCallUpdate, note, { validator: mayNote });
  setHandler(closeUpdate, close, { validator: mayClose });
  setHandler(cancelTurnUpdate, cancelTurn, { validator: mayCancelTurn });
  setHandler(cancelCallUpdate, cancelCall, { validator: mayCancelCall });
  setHandler(decideApprovalSignal, ifAllowed(mayDecide, decide));
  setHandler(closeSignal, ifAllowed(mayClose, close));
  setHandler(cancelTurnSignal, ifAllowed(mayCancelTurn, cancelTurn));
  setHandler(cancelCallSignal, ifAllowed(mayCancelCall, cancelCall));
}

function refuse(what: string, state: string): never {
  throw ApplicationFailure.create({
    message: `The session can't be ${what}: it is ${state}.`,
    type: WRONG_STATE,
    nonRetryable: true,
    details: [{ state }],
  });
}

function refuseCall(callId: string, state: string): never {
  throw ApplicationFailure.create({
    message: `Call ${callId} can't be cancelled: ${state}.`,
    type: WRONG_STATE,
    nonRetryable: true,
    details: [{ state }],
  });
}

/** What was begun in the session's own browser and nobody saw end is no call that could still be stopped. */
function waitingForPerson({ unknownWait: { unknown }, sessionId }: SessionRun): string | undefined {
  if (unknown === undefined) return undefined;
  const answer = resolveUnknownCommand(sessionId, unknown.commandId);
  return `it was begun, and a person is asked whether ${unknownOutcomeName(unknown)} happened (${answer})`;
}

function refuseInput(issues: ConfigIssue[]): never {
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  throw ApplicationFailure.create({ message, type: 'SP001', nonRetryable: true, details: [{ issues }] });
}

/** A signal can't be refused: one that makes no sense now is told in the log of the workflow and dropped. */
function ifAllowed<A extends unknown[]>(check: (...args: A) => void, change: (...args: A) => unknown) {
  return async (...args: A): Promise<void> => {
    try {
      check(...args);
      await change(...args);
    } catch (error) {
      log.warn('a signal was ignored', { reason: (error as Error).message });
    }
  };
}
