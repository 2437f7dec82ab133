import type { TransactionSql } from 'postgres';
import type { Approval, ApprovalFilter } from '../../contracts/approvals/approval';
import type { Revocation } from '../../contracts/approvals/remembered-approval';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql } from '../database/connect';

/** Requests for approval, written by the workflows that wait for them. Answers go to the workflow. */
export interface Approvals {
  /** Oldest first, of sessions that have not ended; of one session where it is named. */
  pending(sessionId?: string): Promise<Approval[]>;
  /** Those that pass the filter, oldest first, of one session where it is named; the newest 1,000. */
  list(filter: ApprovalFilter, sessionId?: string): Promise<Approval[]>;
  /** Null where there is none of this id. */
  get(approvalId: string): Promise<Approval | null>;
}

const MOST_LISTED = 1000;

/** Writes a request in the transaction of its records. */
export async function saveApproval(tx: TransactionSql<{ bigint: number }>, approval: Approval): Promise<void> {
  const { approvalId, sessionId, status, askedAt } = approval;
  await tx`
    insert into approvals (approval_id, session_id, status, approval, asked_at)
    values (${approvalId}, ${sessionId}, ${status}, ${tx.json(approval as never)}, ${askedAt})
    on conflict (approval_id) do update
      -- What is known of it stays known: a stale attempt may write an earlier state of it. One that is asked again, because
      -- Temporal was put back and has forgotten the answer, is a new question.
      set status = excluded.status, asked_at = excluded.asked_at,
        approval = case when excluded.asked_at > approvals.asked_at then excluded.approval
          else approvals.approval || excluded.approval end
      where (approvals.status in ('pending', excluded.status) or excluded.asked_at > approvals.asked_at)
        and excluded.asked_at >= approvals.asked_at and approvals.session_id = excluded.session_id`;
}

/** Notes that an approval covers no more calls, in the transaction of its record. */
export async function revokeApproval(
  tx: TransactionSql<{ bigint: number }>,
  sessionId: string,
  { approvalId, by, at }: Revocation,
): Promise<void> {
  const revoked = { revokedAt: at, ...(by === undefined ? {} : { revokedBy: by }) };
  await tx`
    update approvals set approval = approval || ${tx.json(revoked)}
    where approval_id = ${approvalId} and session_id = ${sessionId}`;
}

interface Row {
  approval: Approval;
  screenshotId: string | null;
}

/** A question that shows no page has the newest picture that there was: a tool that reads no page may be about one. */
function toApproval({ approval, screenshotId }: Row): Approval {
  const shown = approval.view?.screenshotId ?? screenshotId;
  return shown === null ? approval : { ...approval, screenshotId: shown };
}

export function createApprovals(sql: Sql): Approvals {
  const columns = sql`a.approval, (
    select artifact_id from artifacts
    where session_id = a.session_id and kind = 'screenshot' and at <= a.asked_at order by at desc limit 1) as screenshot_id`;
  return {
    async pending(sessionId) {
      const rows = await withReadTimeout(sql<Row[]>`
        select ${columns} from approvals a join sessions s using (session_id)
        where a.status = 'pending' and not s.closed
          ${sessionId === undefined ? sql`` : sql`and a.session_id = ${sessionId}`}
        order by a.asked_at, a.approval_id`);
      return rows.map(toApproval);
    },
    async list(filter, sessionId) {
      const passes =
        filter === 'standing'
          ? sql`a.status = 'approved' and a.approval ? 'remembered' and not a.approval ? 'revokedAt' and not s.closed`
          : sql`a.status = ${filter}`;
      const rows = await withReadTimeout(sql<Row[]>`
        select ${columns} from approvals a join sessions s using (session_id) where ${passes}
          ${sessionId === undefined ? sql`` : sql`and a.session_id = ${sessionId}`}
        order by asked_at desc, approval_id desc limit ${MOST_LISTED}`);
      return rows.map(toApproval).toReversed();
    },
    async get(approvalId) {
      const [row] = await withReadTimeout(sql<(Row & { closed: boolean })[]>`
        select ${columns}, s.closed from approvals a join sessions s using (session_id) where approval_id = ${approvalId}`);
      if (row === undefined) return null;
      const { closed } = row;
      const approval = toApproval(row);
      // A session that was ended from outside asks nobody any more.
      if (approval.status !== 'pending' || !closed) return approval;
      return { ...approval, status: 'cancelled', reason: 'The session has ended.' };
    },
  };
}
