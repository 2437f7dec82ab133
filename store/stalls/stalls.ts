import type { Sql } from '../database/connect';

/** A stall as it is recorded: `stallId` is of the caller, so that a repeated record is one. */
export interface Stall {
  stallId: string;
  sessionId?: string | undefined;
  name: string;
  workKey?: string | undefined;
  isCertain: boolean;
  process: string;
  hostId: string;
  stack: string;
}

/** What of an activity is known to have stopped processes for good. */
export interface Freezes {
  /** Times that it was certain to be this one, and times that it was one of several. */
  certain: number;
  possible: number;
  stack: string;
}

/** Rows without a session are of requests and of sessions that were never stored. */
const KEPT = '30 days';
/** An older one says nothing of an activity that runs now. */
const COUNTED = '1 day';

/** Times at which the only thread of a process was kept by one piece of work. */
export interface Stalls {
  record(stall: Stall): Promise<void>;
  /** The process went on: the work was slow, and did not freeze it. */
  end(stallIds: readonly string[]): Promise<void>;
  /** Keys of the work that has frozen a process lately. */
  frozenKeys(): Promise<string[]>;
  freezesOf(workKey: string): Promise<Freezes>;
}

export function createStalls(sql: Sql): Stalls {
  return {
    async record({ stallId, sessionId = null, name, workKey = null, isCertain, process, hostId, stack }) {
      await sql`
        insert into stalls (stall_id, session_id, name, work_key, is_certain, process, host_id, stack)
        values (${stallId}, (select session_id from sessions where session_id = ${sessionId}), ${name}, ${workKey},
          ${isCertain}, ${process}, ${hostId}, ${stack})
        on conflict (stall_id) do nothing`;
      await sql`
        delete from stalls where session_id is null and began_at < clock_timestamp() - ${KEPT}::interval`;
    },
    async end(stallIds) {
      await sql`update stalls set ended_at = clock_timestamp() where stall_id in ${sql(stallIds)}`;
    },
    async frozenKeys() {
      const rows = await sql<{ workKey: string }[]>`
        select distinct work_key from stalls
        where ended_at is null and work_key is not null and began_at > clock_timestamp() - ${COUNTED}::interval`;
      return rows.map(({ workKey }) => workKey);
    },
    async freezesOf(workKey) {
      const [row] = await sql<Freezes[]>`
        select count(*) filter (where is_certain) as certain, count(*) as possible,
          coalesce((array_agg(stack order by is_certain desc, began_at desc))[1], '') as stack
        from stalls
        where ended_at is null and work_key = ${workKey} and began_at > clock_timestamp() - ${COUNTED}::interval`;
      return row!;
    },
  };
}
