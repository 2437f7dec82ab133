import type { Sql } from '../database/connect';

/** A session's request for a browser. */
export interface BrowserRequest {
  sessionId: string;
  /** The same for every attempt of the activity that answers it. */
  requestId: string;
  /** 1 to 5, 1 first. */
  priority: number;
  since: Date;
}

/**
 * The sessions that wait for a browser, for display. Temporal's task queue decides which is next; the position here follows
 * from priority and time, which is the same order unless fairness between tenants applies.
 */
export interface BrowserRequests {
  /**
   * Enters the request unless a host has taken it already, and ends the session's previous lease, whose Chrome its keeper
   * then ends. Resolves to the position in the queue, or null when taken.
   */
  wait(request: BrowserRequest): Promise<number | null>;
  /** The position of the session in the queue, from 1; null when it does not wait. */
  position(sessionId: string): Promise<number | null>;
}

export function createBrowserRequests(sql: Sql): BrowserRequests {
  async function position(sessionId: string): Promise<number | null> {
    const [row] = await sql<{ position: number }[]>`
      select (
        select count(*) from browser_requests b join sessions s using (session_id)
        where not b.taken and not s.closed and (b.priority, b.since, b.session_id) <= (mine.priority, mine.since, mine.session_id)
      ) as position
      from browser_requests mine join sessions own using (session_id)
      where mine.session_id = ${sessionId} and not mine.taken and not own.closed`;
    return row?.position ?? null;
  }
  return {
    position,
    async wait({ sessionId, requestId, priority, since }) {
      await sql.begin(async (tx) => {
        // The taking of a lease locks this row first as well: either it has happened, or the old lease ends here.
        await tx`select from sessions where session_id = ${sessionId} for update`;
        await tx`
          insert into browser_requests (session_id, request_id, priority, since)
          values (${sessionId}, ${requestId}, ${priority}, ${since})
          on conflict (session_id) do update set
            request_id = excluded.request_id, priority = excluded.priority, since = excluded.since, taken = false
          where browser_requests.request_id <> excluded.request_id`;
        await tx`
          delete from leases l using browser_requests b
          where l.session_id = ${sessionId} and b.session_id = l.session_id and not b.taken`;
      });
      return await position(sessionId);
    },
  };
}
