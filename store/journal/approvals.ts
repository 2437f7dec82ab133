import type { TransactionSql } from 'postgres';
import type { Approval } from '../../contracts/approvals/approval';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql } from '../database/connect';

/** Requests for approval, written by the workflows that wait for them. Answers go to the workflow. */
export interface Approvals {
  /** Oldest first, of sessions that have not ended; of one session where it is named. */
  pending(sessionId?: string): Promise<Approval[]>;
  /** Those of this status, oldest first, of one session where it is named; the newest 1,000. */
  list(status: Approval['status'], sessionId?: string): Promise<Approval[]>;
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
    on conflict (approval_id) do update set status = excluded.status, approval = excluded.approval
      where approvals.status in ('pending', excluded.status) and approvals.session_id = excluded.session_id`;
}

export function createApprovals(sql: Sql): Approvals {
  return {
    async pending(sessionId) {
      const rows = await withReadTimeout(sql<{ approval: Approval }[]>`
        select approval from approvals a join sessions s using (session_id)
        where a.status = 'pending' and not s.closed
          ${sessionId === undefined ? sql`` : sql`and a.session_id = ${sessionId}`}
        order by a.asked_at, a.approval_id`);
      return rows.map((row) => row.approval);
    },
    async list(status, sessionId) {
      const rows = await withReadTimeout(sql<{ approval: Approval }[]>`
        select approval from approvals where status = ${status}
          ${sessionId === undefined ? sql`` : sql`and session_id = ${sessionId}`}
        order by asked_at desc, approval_id desc limit ${MOST_LISTED}`);
      return rows.map((row) => row.approval).toReversed();
    },
    async get(approvalId) {
      const [row] = await withReadTimeout(sql<{ approval: Approval; closed: boolean }[]>`
        select approval, s.closed from approvals a join sessions s using (session_id) where approval_id = ${approvalId}`);
      if (row === undefined) return null;
      const { approval, closed } = row;
      // A session that was ended from outside asks nobody any more.
      if (approval.status !== 'pending' || !closed) return approval;
      return { ...approval, status: 'cancelled', reason: 'The session has ended.' };
    },
  };
}
