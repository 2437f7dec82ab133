import type { Client } from '@temporalio/client';
import {
  DecideApprovalRequestSchema,
  decisionIssues,
  toPendingApproval,
  type Approval,
  type ApprovalFilter,
  type DecideApprovalRequest,
  type PendingQuestion,
} from '../../contracts/approvals/approval';
import { approvalIssues } from '../../contracts/approvals/approval-issues';
import { RevokeApprovalRequestSchema } from '../../contracts/approvals/remembered-approval';
import { CancelCallRequestSchema } from '../../contracts/tools/call-cancellation';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import type { OrderControl } from '../orders/orders';
import { ClientError, type Sessions } from '../port';
import { toWaitingForAnswer } from './read-model';
import { notFound, requireSessionRow } from './session-row';
import { invalid } from './invalid';
import { reportCall } from './report-call';
import { fromStore } from '../connection/store-errors';
import { issuesOf } from '../../contracts/errors/issues';

export type ApprovalControl = Pick<
  Sessions,
  | 'approvals'
  | 'approval'
  | 'decideApproval'
  | 'decideOnlyApproval'
  | 'revokeApproval'
  | 'reportCall'
  | 'close'
  | 'cancelTurn'
  | 'cancelCall'
>;

/** Paused sessions that are searched for unknown outcomes. */
const MAX_PAUSED_SESSIONS = 1000;

/** Reads what requires human input from the store, and sends decisions to the workflows, which let the first one win. */
export function createApprovalControl({
  store,
  temporal,
  giveOrder,
}: { store: Store; temporal: Client } & Pick<OrderControl, 'giveOrder'>): ApprovalControl {
  const kind = 'decide-approval';

  async function assertFits(approval: Approval, answer: Omit<DecideApprovalRequest, 'approvalId'>): Promise<void> {
    const issues = approvalIssues(approval, answer);
    if (issues.length > 0) throw invalid('The decision is not valid', issues);
    if (answer.args === undefined && answer.newContent === undefined) return;
    // What checks with schemas of others is slow to load, and most answers need none of it.
    const { editIssues } = await import('./edit-issues.js');
    const wrong = await fromStore(() => editIssues(store, approval, answer));
    if (wrong.length > 0) throw invalid('The decision is not valid', wrong);
  }

  return {
    approvals: (session, status = 'pending') =>
      fromStore(() => (status === 'pending' ? listPending(store, session) : listAnswered(store, status, session))),
    async approval(approvalId) {
      const approval = await fromStore(() => store.approvals.get(approvalId));
      if (approval === null) throw notFound(`There is no approval ${approvalId}.`);
      return approval.status === 'pending' ? toPendingApproval(approval) : { kind: 'approval', ...approval };
    },
    async decideApproval(given, options) {
      const parsed = DecideApprovalRequestSchema.safeParse(given);
      const issues = parsed.success ? decisionIssues(parsed.data) : issuesOf(parsed.error);
      if (!parsed.success || issues.length > 0) throw invalid('The decision is not valid', issues);
      const request = parsed.data;
      const approval = await fromStore(() => store.approvals.get(request.approvalId));
      if (approval === null) throw notFound(`There is no approval ${request.approvalId}.`);
      const prepare = async (): Promise<unknown> => {
        if (approval.status !== 'pending') throw alreadyDecided(approval);
        await assertFits(approval, request);
        return request;
      };
      return await giveOrder(approval.sessionId, { kind, request, prepare }, options);
    },
    async decideOnlyApproval(name, answer, options) {
      const prepare = async ({ sessionId }: { sessionId: string }): Promise<unknown> => {
        const pending = await fromStore(() => store.approvals.pending(sessionId));
        const [only] = pending;
        if (only === undefined || pending.length > 1) throw notExactlyOne(sessionId, pending);
        await assertFits(only, answer);
        return { approvalId: only.approvalId, ...answer };
      };
      return await giveOrder(name, { kind, request: answer, prepare }, options);
    },
    async revokeApproval(given, options) {
      const parsed = RevokeApprovalRequestSchema.safeParse(given);
      if (!parsed.success) throw invalid('The revocation is not valid', issuesOf(parsed.error));
      const request = parsed.data;
      const approval = await fromStore(() => store.approvals.get(request.approvalId));
      if (approval === null) throw notFound(`There is no approval ${request.approvalId}.`);
      const prepare = (): Promise<unknown> => {
        assertStanding(approval);
        return Promise.resolve(request);
      };
      return await giveOrder(approval.sessionId, { kind: 'revoke-approval', request, prepare }, options);
    },
    reportCall: (name, status) => reportCall({ store, temporal }, name, status),
    close: (name, options) => giveOrder(name, { kind: 'close' }, options),
    cancelTurn: (name, reason, options) => giveOrder(name, { kind: 'cancelTurn', request: reason }, options),
    async cancelCall(name, given, options) {
      const parsed = CancelCallRequestSchema.safeParse(given);
      if (!parsed.success) throw invalid('The cancellation is not valid', issuesOf(parsed.error));
      const request = parsed.data;
      const { callId } = request;
      const prepare = async ({ sessionId }: { sessionId: string }): Promise<unknown> => {
        const call = await fromStore(() => store.toolCalls.get(sessionId, callId));
        if (call === null) throw notFound(`There is no call ${callId} in session ${sessionId}.`);
        return request;
      };
      return await giveOrder(name, { kind: 'cancelCall', request, prepare }, options);
    },
  };
}

async function listAnswered(
  store: Store,
  status: ApprovalFilter,
  session: string | undefined,
): Promise<PendingQuestion[]> {
  const only = session === undefined ? undefined : await requireSessionRow(store, session);
  const approvals = await store.approvals.list(status, only?.sessionId);
  return approvals.map((approval) => ({ kind: 'approval', ...approval }));
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

function assertStanding({ approvalId, sessionId, remembered, revokedAt, status }: Approval): void {
  if (remembered !== undefined && revokedAt === undefined) return;
  const state = revokedAt === undefined ? `${status}, for no other call` : `revoked since ${revokedAt}`;
  const message = `Approval ${approvalId} of session ${sessionId} can't be revoked: it is ${state}.`;
  throw new ClientError('wrong-state', 'SP001', message, { state });
}

function notExactlyOne(sessionId: string, pending: readonly Approval[]): ClientError {
  const named = pending.map(({ approvalId, toolName }) => `${approvalId} (${toolName})`).join(', ');
  const message =
    pending.length === 0
      ? `Session ${sessionId} is not waiting for an approval.`
      : `Session ${sessionId} waits for ${pending.length} approvals: answer one of them by its id: ${named}.`;
  return new ClientError('wrong-state', 'SP001', message, { state: `${pending.length} pending approvals` });
}
