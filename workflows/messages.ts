import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DecideApprovalRequest } from '../contracts/approvals/approval';
import type { RevokeApprovalRequest } from '../contracts/approvals/remembered-approval';
import type { CancelCallRequest } from '../contracts/tools/call-cancellation';
import type { ResolveBudgetRequest } from '../contracts/models/budget';
import type { ClientCallStatus } from '../contracts/tools/client-call-status';
import type { Accepted } from '../contracts/sessions/order';
import { VERIFY_STORE_SIGNAL } from '../contracts/queues';
import { PROGRESS_QUERY, type SessionProgress } from '../contracts/sessions/progress';
import type { Step, StepInput } from '../contracts/sessions/step-input';
import type { ResolveUnknownRequest } from '../contracts/approvals/unknown-outcome';

/** Steps as a request has them, or, of an order that is too large for a message, as the workflow carries them. */
export type AddedSteps =
  | readonly StepInput[]
  | {
      orderId: string;
      steps: Step[];
      /** Origins that the texts name. */
      named: string[];
    };

// Updates for programs, which want a yes or a no; signals of the same names for the Temporal CLI and UI, where a
// message that makes no sense in the state of the session is ignored with a line in the workflow's log.

export const pauseUpdate = defineUpdate<Accepted>('pause');
export const resumeUpdate = defineUpdate<Accepted>('resume');
export const cancelUpdate = defineUpdate<Accepted>('cancel');
export const addStepsUpdate = defineUpdate<Accepted, [AddedSteps]>('addSteps');
export const resolveUnknownUpdate = defineUpdate<Accepted, [ResolveUnknownRequest]>('resolve-unknown');
export const decideApprovalUpdate = defineUpdate<Accepted, [DecideApprovalRequest]>('decide-approval');
export const revokeApprovalUpdate = defineUpdate<Accepted, [RevokeApprovalRequest]>('revoke-approval');
export const closeUpdate = defineUpdate<Accepted>('close');
export const cancelTurnUpdate = defineUpdate<Accepted, [reason: string | undefined]>('cancelTurn');
/** Sent by the caller's process alone, which must know that the session has received it. */
export const noteCallUpdate = defineUpdate<Accepted, [ClientCallStatus]>('note-call');
export const cancelCallUpdate = defineUpdate<Accepted, [CancelCallRequest]>('cancelCall');
export const resolveBudgetUpdate = defineUpdate<Accepted, [ResolveBudgetRequest]>('resolve-budget');

export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
export const cancelSignal = defineSignal('cancel');
export const addStepsSignal = defineSignal<[AddedSteps]>('addSteps');
export const resolveUnknownSignal = defineSignal<[ResolveUnknownRequest]>('resolve-unknown');
export const decideApprovalSignal = defineSignal<[DecideApprovalRequest]>('decide-approval');
export const revokeApprovalSignal = defineSignal<[RevokeApprovalRequest]>('revoke-approval');
export const closeSignal = defineSignal('close');
export const cancelTurnSignal = defineSignal<[reason: string | undefined]>('cancelTurn');
export const cancelCallSignal = defineSignal<[CancelCallRequest]>('cancelCall');
export const resolveBudgetSignal = defineSignal<[ResolveBudgetRequest]>('resolve-budget');

/** By the engine workers, whenever the server of the database has started: the session compares what it knows with it. */
export const verifyStoreSignal = defineSignal(VERIFY_STORE_SIGNAL);

/** The state of the session as the workflow has it. Readers normally use the store, which answers when no worker does. */
export const stateQuery = defineQuery<Accepted>('state');

export const progressQuery = defineQuery<SessionProgress>(PROGRESS_QUERY);

/** Failure type of an update that makes no sense in the state of the session. */
export const WRONG_STATE = 'WrongState';
