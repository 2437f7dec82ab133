import type { Client } from '@temporalio/client';
import {
  toPendingApproval,
  type Approval,
  type ApprovalFilter,
  type DecideApprovalRequest,
  type PendingQuestion,
} from '../../contracts/approvals/approval';
import { approvalIssues } from '../../contracts/approvals/approval-issues';
import { toWaitingForAnswer } from '../../contracts/approvals/waiting-for';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import type { MessageControl } from './send-message';
import { ClientError, type Sessions } from '../port/port';
import { notFound, requireSessionRow } from '../rows/session-row';
import { invalid } from '../connection/invalid';
import { reportCall } from '../sessions/report-call';
import { fromStore } from '../connection/store-errors';

/** Paused sessions that are searched for unknown outcomes and secrets that are asked for. */
const MAX_PAUSED_SESSIONS = 1000;

/** Reads what requires human input from the store, and answers the only question of a session. */
export function createApprovalControl({
  store,
  temporal,
  sendMessage,
}: { store: Store; temporal: Client } & Pick<MessageControl, 'sendMessage'>): Pick<
  Sessions,
  'approvals' | 'approval' | 'decideOnlyApproval' | 'reportCall'
> {
  return {
    approvals: (session, status = 'pending') =>
      fromStore(() => (status === 'pending' ? listPending(store, session) : listAnswered(store, status, session))),
    async approval(approvalId) {
      const approval = await requireApproval(store, approvalId);
      return approval.status === 'pending' ? toPendingApproval(approval) : { kind: 'approval', ...approval };
    },
    async decideOnlyApproval(session, answer, options) {
      const prepare = async ({ sessionId }: { sessionId: string }): Promise<unknown> => {
        const pending = await fromStore(() => store.approvals.pending(sessionId));
        const [only] = pending;
        if (only === undefined || pending.length > 1) throw notExactlyOne(sessionId, pending);
        await checkDecision(store, only, answer);
        return { approvalId: only.approvalId, ...answer };
      };
      return await sendMessage(session, { name: 'decideApproval', request: answer, prepare }, options);
    },
    reportCall: (session, status) => reportCall({ store, temporal }, session, status),
  };
}

export async function requireApproval(store: Store, approvalId: string): Promise<Approval> {
  const approval = await fromStore(() => store.approvals.get(approvalId));
  if (approval === null) throw notFound(`There is no approval ${approvalId}.`);
  return approval;
}

/** Throws where an approval is not pending any more, or the answer does not fit its call. */
export async function checkDecision(
  store: Store,
  approval: Approval,
  answer: Omit<DecideApprovalRequest, 'approvalId'>,
): Promise<void> {
  if (approval.status !== 'pending') throw alreadyDecided(approval);
  const what = 'The decision is not valid';
  const issues = approvalIssues(approval, answer);
  if (issues.length > 0) throw invalid(what, issues);
  if (answer.args === undefined && answer.newContent === undefined) return;
  // What checks with schemas of others is slow to load, and most answers need none of it.
  const { editIssues } = await import('../sessions/edit-issues.js');
  const wrong = await fromStore(() => editIssues(store, approval, answer));
  if (wrong.length > 0) throw invalid(what, wrong);
}

/** Throws where an approval does not hold for the rest of its session, or no more. */
export function checkStanding({ approvalId, sessionId, remembered, revokedAt, status }: Approval): void {
  if (remembered !== undefined && revokedAt === undefined) return;
  const state = revokedAt === undefined ? `${status}, for no other call` : `revoked since ${revokedAt}`;
  const message = `Approval ${approvalId} of session ${sessionId} can't be revoked: it is ${state}.`;
  throw new ClientError('wrong-state', 'SP001', message, { state });
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
  const others = rows.flatMap(({ sessionId, waitingFor }): PendingQuestion[] => {
    if (waitingFor?.pausedFor !== 'unknown-outcome' && waitingFor?.pausedFor !== 'secret') return [];
    const { pausedFor: kind, ...question } = toWaitingForAnswer(sessionId, waitingFor);
    return [{ kind, sessionId, ...question } as PendingQuestion];
  });
  return [...approvals.map(toPendingApproval), ...others];
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
