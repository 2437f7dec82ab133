import { ToolCallStatus } from './tool-call';

const { Validating, AwaitingApproval, Scheduled, Executing, Success, Error: Failed, Cancelled } = ToolCallStatus;

/** S2.R6: what a call may become. The last three are its ends; every other state may go straight to error or cancelled. */
export const CALL_TRANSITIONS: Readonly<Record<ToolCallStatus, readonly ToolCallStatus[]>> = {
  [Validating]: [AwaitingApproval, Scheduled, Failed, Cancelled],
  [AwaitingApproval]: [Scheduled, Failed, Cancelled],
  [Scheduled]: [Executing, Failed, Cancelled],
  [Executing]: [Success, Failed, Cancelled],
  [Success]: [],
  [Failed]: [],
  [Cancelled]: [],
};

/** What has come of a call, named by what happened and not by the state that follows. */
export type CallTransition =
  | { kind: 'asked' }
  | { kind: 'cleared' }
  | { kind: 'begun' }
  | { kind: 'succeeded' }
  | { kind: 'failed'; reason: string }
  | { kind: 'cancelled'; reason: string };

const LEADS_TO: Readonly<Record<CallTransition['kind'], ToolCallStatus>> = {
  asked: AwaitingApproval,
  cleared: Scheduled,
  begun: Executing,
  succeeded: Success,
  failed: Failed,
  cancelled: Cancelled,
};

export interface CallState {
  callId: string;
  status: ToolCallStatus;
  /** Why it failed or was cancelled. */
  reason?: string | undefined;
}

export function isTerminalCallStatus(status: ToolCallStatus): boolean {
  return CALL_TRANSITIONS[status].length === 0;
}

/** The status after it; undefined where that can't happen in this state, and the call stays what it is. */
export function nextCallStatus(status: ToolCallStatus, transition: CallTransition['kind']): ToolCallStatus | undefined {
  const next = LEADS_TO[transition];
  return CALL_TRANSITIONS[status].includes(next) ? next : undefined;
}

export function createCallStates(callIds: readonly string[]): CallState[] {
  return callIds.map((callId) => ({ callId, status: Validating }));
}

/** The list after one transition, the same one where nothing has changed by it. */
export function applyCallTransition<T extends CallState>(
  calls: readonly T[],
  callId: string,
  transition: CallTransition,
): readonly T[] {
  const status = calls.find((call) => call.callId === callId)?.status;
  const next = status === undefined ? undefined : nextCallStatus(status, transition.kind);
  if (next === undefined) return calls;
  const reason = 'reason' in transition ? { reason: transition.reason } : {};
  return calls.map((call) => (call.callId === callId ? { ...call, status: next, ...reason } : call));
}
