import type { Sql, Transaction } from '../database/connect';
import { withReadTimeout } from '../database/read-timeout';
import { withRefusals, StoreRefusal } from '../database/refusals';
import type { IntentWitness } from '../journal/intent-witness';

/** The right of one worker to a session's browser; a newer epoch ends it. */
export interface LeaseRow {
  sessionId: string;
  hostId: string;
  workerId: string;
  epoch: number;
  /** CDP target id of the tab in front, so that another worker goes on in the same tab. */
  targetId: string | null;
}

/** The attempt of an activity that acquires a browser. Temporal numbers the activities of a run in their order. */
export interface LeaseHolder {
  runId: string;
  activityId?: string;
  attempt?: number;
  /** When Temporal scheduled it, in ms: later for an attempt that it repeats because it was put back to an earlier time. */
  scheduledAt?: number;
  /** The newest epoch that it knows of; the database may have forgotten it. */
  knownEpoch?: number | undefined;
}

export interface Leases {
  /**
   * Gives the lease to this worker under the next epoch, which fences the previous holder off from the journal. The epoch is
   * newer than any that the holder or this host knows of, so that no two workers ever have the same one. Throws
   * StoreRefusal, also for a stale attempt: one with a newer attempt or activity of the run after it.
   */
  acquire(
    sessionId: string,
    holder: LeaseHolder,
    hostId: string,
    workerId: string,
    requestId?: string,
  ): Promise<LeaseRow>;
  get(sessionId: string): Promise<LeaseRow | null>;
  /** Enters a lease that the database has forgotten, unless it knows one. */
  enterAgain(sessionId: string, hostId: string, epoch: number): Promise<void>;
  setTarget(sessionId: string, epoch: number, targetId: string): Promise<void>;
  /** Of this host, and of this epoch or an older one. */
  release(sessionId: string, lease: { hostId: string; upTo: number }): Promise<void>;
  /** Leases on a host whose session has ended: their browsers are to be closed. */
  ofClosedSessions(hostId: string): Promise<string[]>;
}

/** What a keeper reports of its host with every heartbeat. */
export interface HostHeartbeat {
  hostId: string;
  keeperUrl: string;
  token: string;
  /** How many browsers it may keep, and how many it keeps now. */
  capacity: number;
  browsers: number;
}

export interface HostRow {
  hostId: string;
  keeperUrl: string;
  keeperToken: string;
  /** By the database's clock, so that no two machines' clocks are compared. */
  silentForMs: number;
  capacity: number;
  browsers: number;
}

export interface Hosts {
  heartbeat(host: HostHeartbeat): Promise<void>;
  get(hostId: string): Promise<HostRow | null>;
  /** By session, what the database says of browsers that this host keeps. */
  leaseStates(hostId: string, browsers: readonly HeldBrowser[]): Promise<Map<string, LeaseState>>;
  /** Capacity and browsers of all hosts with a heartbeat within this time. */
  total(withinMs: number): Promise<{ hosts: number; capacity: number; browsers: number }>;
}

export interface HeldBrowser {
  sessionId: string;
  /** Of the lease that it was last opened for. */
  epoch: number;
}

/**
 * `given-up`: the lease was known, and is gone or another host's. `forgotten`: the database knows no lease so new, as one
 * that was put back to an earlier time; its session writes the lease again.
 */
export type LeaseState = 'leased' | 'given-up' | 'forgotten';

export function createLeases(sql: Sql, witness: IntentWitness): Leases {
  const columns = sql`session_id, host_id, worker_id, epoch, target_id`;
  return {
    async acquire(
      sessionId,
      { runId, activityId = '', attempt = 1, scheduledAt, knownEpoch = 0 },
      hostId,
      workerId,
      requestId,
    ) {
      const leastEpoch = Math.max(knownEpoch, (await witness.of(sessionId)).epoch);
      const lease = await withRefusals(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${tx.json({ runId })})`;
          const activity = /^\d+$/.test(activityId) ? Number(activityId) : null;
          const [session] = await tx<{ epoch: number }[]>`
            update sessions set epoch = greatest(epoch, ${leastEpoch}::int) + 1,
              holder_run = ${runId}, holder_activity = ${activity}, holder_attempt = ${attempt}, holder_at = ${scheduledAt ?? null}
            where session_id = ${sessionId} and not closed
              and (holder_run = ${runId} and (holder_activity, holder_attempt) > (${activity}::int, ${attempt}::int)
                and coalesce(holder_at >= ${scheduledAt ?? null}::bigint, true)) is not true
            returning epoch`;
          if (session === undefined) throw await refusalFor(tx, sessionId);
          const [row] = await tx<LeaseRow[]>`
            insert into leases (session_id, host_id, worker_id, epoch)
            values (${sessionId}, ${hostId}, ${workerId}, ${session.epoch})
            on conflict (session_id) do update set
              host_id = excluded.host_id, worker_id = excluded.worker_id, epoch = excluded.epoch,
              target_id = case when leases.host_id = excluded.host_id then leases.target_id end,
              acquired_at = clock_timestamp()
            returning ${columns}`;
          if (requestId !== undefined) {
            await tx`
              insert into browser_requests (session_id, request_id, taken) values (${sessionId}, ${requestId}, true)
              on conflict (session_id) do update set request_id = excluded.request_id, taken = true`;
          }
          return row!;
        }),
      );
      await witness.note(sessionId, { kind: 'lease', epoch: lease.epoch });
      return lease;
    },
    async get(sessionId) {
      const [row] = await sql<LeaseRow[]>`select ${columns} from leases where session_id = ${sessionId}`;
      return row ?? null;
    },
    async enterAgain(sessionId, hostId, epoch) {
      await sql`
        insert into leases (session_id, host_id, worker_id, epoch) values (${sessionId}, ${hostId}, '', ${epoch})
        on conflict do nothing`;
    },
    async setTarget(sessionId, epoch, targetId) {
      await sql`update leases set target_id = ${targetId} where session_id = ${sessionId} and epoch = ${epoch}`;
    },
    async release(sessionId, { hostId, upTo }) {
      await sql`delete from leases where session_id = ${sessionId} and host_id = ${hostId} and epoch <= ${upTo}::float`;
    },
    async ofClosedSessions(hostId) {
      const rows = await sql<{ sessionId: string }[]>`
        select l.session_id from leases l join sessions s using (session_id) where l.host_id = ${hostId} and s.closed
          and s.last_activity < clock_timestamp() - interval '10 seconds'`;
      return rows.map((row) => row.sessionId);
    },
  };
}

/** Explains the refusal of a host that was cut off, or a worker that was frozen: the session has ended or went on without it. */
async function refusalFor(tx: Transaction, sessionId: string): Promise<StoreRefusal> {
  const [session] = await tx<{ closed: boolean }[]>`select closed from sessions where session_id = ${sessionId}`;
  return session?.closed
    ? new StoreRefusal('closed', `Session ${sessionId} has ended; no browser is leased to it any more.`)
    : new StoreRefusal(
        'stale-attempt',
        `Session ${sessionId} went on with a newer attempt; this one can't acquire its browser.`,
      );
}

export function createHosts(sql: Sql): Hosts {
  return {
    async heartbeat({ hostId, keeperUrl, token, capacity, browsers }) {
      await sql`
        insert into hosts (host_id, keeper_url, keeper_token, capacity, browsers)
        values (${hostId}, ${keeperUrl}, ${token}, ${capacity}, ${browsers})
        on conflict (host_id) do update set
          keeper_url = excluded.keeper_url, keeper_token = excluded.keeper_token, capacity = excluded.capacity,
          browsers = excluded.browsers, seen_at = clock_timestamp()`;
    },
    async get(hostId) {
      const [row] = await sql<HostRow[]>`
        select host_id, keeper_url, keeper_token, capacity, browsers,
          extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as silent_for_ms
        from hosts where host_id = ${hostId}`;
      return row ?? null;
    },
    async leaseStates(hostId, browsers) {
      const [ids, epochs] = [browsers.map(({ sessionId }) => sessionId), browsers.map(({ epoch }) => epoch)];
      const rows = await withReadTimeout(
        sql<{ sessionId: string; state: LeaseState }[]>`
          select kept.session_id, case when l.session_id is not null then 'leased'
            when s.epoch >= kept.epoch then 'given-up' else 'forgotten' end as state
          from unnest(${ids}::text[], ${epochs}::int[]) as kept(session_id, epoch)
          left join sessions s on s.session_id = kept.session_id
          left join leases l on l.session_id = kept.session_id and l.host_id = ${hostId}`,
      );
      return new Map(rows.map(({ sessionId, state }) => [sessionId, state]));
    },
    async total(withinMs) {
      const [row] = await sql<{ hosts: number; capacity: number; browsers: number }[]>`
        select count(*) as hosts, coalesce(sum(capacity), 0) as capacity, coalesce(sum(browsers), 0) as browsers
        from hosts where seen_at > clock_timestamp() - ${withinMs} * interval '1 millisecond'`;
      return row!;
    },
  };
}
