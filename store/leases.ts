import type { Row } from 'postgres';
import type { Sql } from './connect';
import { refusing } from './refusals';

/** The right of one worker to a session's browser; a newer epoch ends it. */
export interface LeaseRow {
  sessionId: string;
  hostId: string;
  workerId: string;
  epoch: number;
  /** CDP target id of the tab in front, so that another worker goes on in the same tab. */
  targetId: string | null;
}

export interface Leases {
  /** Gives the lease to this worker under the next epoch; whoever held it is fenced off from the journal at once. */
  take(sessionId: string, runId: string, hostId: string, workerId: string): Promise<LeaseRow>;
  get(sessionId: string): Promise<LeaseRow | null>;
  setTarget(sessionId: string, epoch: number, targetId: string): Promise<void>;
  release(sessionId: string): Promise<void>;
  /** Leases on a host whose session has ended: their browsers are to be closed. */
  ofClosedSessions(hostId: string): Promise<string[]>;
}

export interface HostRow {
  hostId: string;
  keeperUrl: string;
  keeperToken: string;
  /** By the database's clock, so that no two machines' clocks are compared. */
  silentForMs: number;
}

export interface Hosts {
  beat(host: { hostId: string; keeperUrl: string; token: string }): Promise<void>;
  get(hostId: string): Promise<HostRow | null>;
}

function toLease(row: Row): LeaseRow {
  return {
    sessionId: row['session_id'],
    hostId: row['host_id'],
    workerId: row['worker_id'],
    epoch: row['epoch'],
    targetId: row['target_id'],
  };
}

export function createLeases(sql: Sql): Leases {
  return {
    take: (sessionId, runId, hostId, workerId) =>
      refusing(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${tx.json({ runId })})`;
          const [session] =
            await tx`update sessions set epoch = epoch + 1 where session_id = ${sessionId} returning epoch`;
          const [row] = await tx`
            insert into leases (session_id, host_id, worker_id, epoch)
            values (${sessionId}, ${hostId}, ${workerId}, ${session!['epoch']})
            on conflict (session_id) do update set
              host_id = excluded.host_id, worker_id = excluded.worker_id, epoch = excluded.epoch,
              target_id = case when leases.host_id = excluded.host_id then leases.target_id end,
              acquired_at = clock_timestamp()
            returning *`;
          return toLease(row!);
        }),
      ),
    async get(sessionId) {
      const [row] = await sql`select * from leases where session_id = ${sessionId}`;
      return row === undefined ? null : toLease(row);
    },
    async setTarget(sessionId, epoch, targetId) {
      await sql`update leases set target_id = ${targetId} where session_id = ${sessionId} and epoch = ${epoch}`;
    },
    async release(sessionId) {
      await sql`delete from leases where session_id = ${sessionId}`;
    },
    async ofClosedSessions(hostId) {
      const rows = await sql`
        select l.session_id from leases l join sessions s using (session_id) where l.host_id = ${hostId} and s.closed
          and s.last_activity < clock_timestamp() - interval '10 seconds'`;
      return rows.map((row) => row['session_id']);
    },
  };
}

export function createHosts(sql: Sql): Hosts {
  return {
    async beat({ hostId, keeperUrl, token }) {
      await sql`
        insert into hosts (host_id, keeper_url, keeper_token) values (${hostId}, ${keeperUrl}, ${token})
        on conflict (host_id) do update set
          keeper_url = excluded.keeper_url, keeper_token = excluded.keeper_token, seen_at = clock_timestamp()`;
    },
    async get(hostId) {
      const [row] = await sql`
        select *, extract(epoch from clock_timestamp() - seen_at) * 1000 as silent_for_ms from hosts where host_id = ${hostId}`;
      if (row === undefined) return null;
      return {
        hostId,
        keeperUrl: row['keeper_url'],
        keeperToken: row['keeper_token'],
        silentForMs: Number(row['silent_for_ms']),
      };
    },
  };
}
