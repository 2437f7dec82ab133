import type { Client } from '@temporalio/client';
import {
  DecideApprovalRequestSchema,
  decisionIssues,
  toPendingApproval,
  type Approval,
  type PendingQuestion,
} from '../../contracts/approvals/approval';
import { CancelCallRequestSchema } from '../../contracts/tools/call-cancellation';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import {
  cancelCallUpdate,
  cancelTurnUpdate,
  closeUpdate,
  decideApprovalUpdate,
  noteCallUpdate,
} from '../../workflows/messages';
import { createUpdateSender } from './control';
import { ClientError, type Sessions } from '../port';
import { toWaitingForAnswer } from './read-model';
import { notFound, requireSessionRow } from './session-row';
import { invalid } from './start';
import { fromStore } from '../connection/store-errors';
import { issuesOf } from '../../contracts/errors/issues';

export type ApprovalControl = Pick<
  Sessions,
  'approvals' | 'decideApproval' | 'decideOnlyApproval' | 'reportCall' | 'close' | 'cancelTurn' | 'cancelCall'
>;

/** Paused sessions that are searched for unknown outcomes. */
const MAX_PAUSED_SESSIONS = 1000;

/** Reads what requires human input from the store, and sends decisions to the workflows, which let the first one win. */
export function createApprovalControl(parts: { store: Store; temporal: Client }): ApprovalControl {
  const { store } = parts;
  const { sendUpdate } = createUpdateSender(parts);
  const decideApproval: Sessions['decideApproval'] = async (given) => {
    const parsed = DecideApprovalRequestSchema.safeParse(given);
    const issues = parsed.success ? decisionIssues(parsed.data) : issuesOf(parsed.error);
    if (!parsed.success || issues.length > 0) throw invalid('The decision is not valid', issues);
    const approval = await fromStore(() => store.approvals.get(parsed.data.approvalId));
    if (approval === null) throw notFound(`There is no approval ${parsed.data.approvalId}.`);
    if (approval.status !== 'pending') throw alreadyDecided(approval);
    return await sendUpdate(approval.sessionId, 'given this answer', (handle) =>
      handle.executeUpdate(decideApprovalUpdate, { args: [parsed.data] }),
    );
  };
  return {
    approvals: (session) => fromStore(() => listPending(store, session)),
    decideApproval,
    async decideOnlyApproval(name, answer) {
      const { sessionId } = await fromStore(() => requireSessionRow(store, name));
      const pending = await fromStore(() => store.approvals.pending(sessionId));
      const [only] = pending;
      if (only === undefined || pending.length > 1) throw notExactlyOne(sessionId, pending);
      return await decideApproval({ approvalId: only.approvalId, ...answer });
    },
    reportCall: (name, status) =>
      sendUpdate(name, 'sent the state of a call', (handle) =>
        handle.executeUpdate(noteCallUpdate, { args: [status] }),
      ),
    close: (name) => sendUpdate(name, 'closed', (handle) => handle.executeUpdate(closeUpdate)),
    cancelTurn: (name, reason) =>
      sendUpdate(name, 'asked to stop its response', (handle) =>
        handle.executeUpdate(cancelTurnUpdate, { args: [reason] }),
      ),
    async cancelCall(name, request) {
      const parsed = CancelCallRequestSchema.safeParse(request);
      if (!parsed.success) throw invalid('The cancellation is not valid', issuesOf(parsed.error));
      const { callId } = parsed.data;
      const { sessionId } = await fromStore(() => requireSessionRow(store, name));
      const call = await fromStore(() => store.toolCalls.get(sessionId, callId));
      if (call === null) throw notFound(`There is no call ${callId} in session ${sessionId}.`);
      return await sendUpdate(sessionId, 'asked to cancel a call', (handle) =>
        handle.executeUpdate(cancelCallUpdate, { args: [parsed.data] }),
      );
    },
  };
}

async function listPending(store: Store, session: string | undefined): Promise<PendingQuestion[]> {
  const only = session === undefined ? undefined : await requireSessionRow(store, session);
  const [approvals, rows] = await Promise.all([
    store.approvals.pending(only?.sessionId),
    only === undefined
      ? store.sessions
          .list({ statuses: [SessionStatus.PAUSED], page: 1, pageSize: MAX_PAUSED_SESSIONS })
          .then((page) => page.rows)
      : [only],
  ]);
  const unknowns = rows.flatMap(({ sessionId, waitingFor }): PendingQuestion[] => {
    if (waitingFor?.pausedFor !== 'unknown-outcome') return [];
    const { message, answerWith } = toWaitingForAnswer(sessionId, waitingFor);
    return [{ kind: 'unknown-outcome', sessionId, unknown: waitingFor.unknown, message, answerWith }];
  });
  return [...approvals.map(toPendingApproval), ...unknowns];
}

function alreadyDecided({ approvalId, status, sessionId }: Approval): ClientError {
  const message = `Approval ${approvalId} of session ${sessionId} is not pending any more: it is ${status}.`;
  return new ClientError('wrong-state', 'SP001', message, { state: status });
}

function notExactlyOne(sessionId: string, pending: readonly Approval[]): ClientError {
  const named = pending.map(({ approvalId, toolName }) => `${approvalId} (${toolName})`).join(', ');
  const message =
    pending.length === 0
      ? `Session ${sessionId} is not waiting for an approval.`
      : `Session ${sessionId} waits for ${pending.length} approvals: answer one of them by its id: ${named}.`;
  return new ClientError('wrong-state', 'SP001', message, { state: `${pending.length} pending approvals` });
}
