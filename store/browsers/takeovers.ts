import { PersonActSchema, type PageAsk, type PersonAct, type TakeoverEnd } from '../../contracts/browsers/takeover';
import type { Target } from '../../contracts/commands/planned-command';
import type { Sql } from '../database/connect';
import { createNotifier, type Notifier } from '../database/notifier';
import type { Sealer } from '../database/sealer';

/** What a page asks, and the element that it is asked for. */
export interface AskedByPage {
  shown: PageAsk;
  target?: Target | undefined;
}

export interface TakeoverRow {
  sessionId: string;
  takeoverId: string;
  by: string | null;
  /** The session was paused for it. */
  opened: boolean;
  /** Why it is to end. */
  wantedEnd: TakeoverEnd | null;
  ended: boolean;
  /** Acts that no worker has begun. */
  waiting: number;
  asks: AskedByPage | null;
}

export interface NumberedAct {
  number: number;
  act: PersonAct;
}

/** Something to do for a takeover. */
export interface DueTakeover {
  sessionId: string;
  takeoverId: string;
  /** The worker that holds the browser, as far as the database knows. */
  workerId: string;
  waitingForMs: number;
}

/** Persons at the browsers of sessions. Their acts are removed by the journal, with the intent of each. */
export interface Takeovers {
  /** Begins a takeover unless the session has one that has not ended, or had this one before; resolves to the one that it has. */
  request(sessionId: string, takeoverId: string, by: string | undefined): Promise<TakeoverRow>;
  get(sessionId: string): Promise<TakeoverRow | null>;
  /** Takes acts with numbers that are new. False where the takeover has ended, or is about to. */
  add(sessionId: string, takeoverId: string, acts: readonly NumberedAct[]): Promise<boolean>;
  next(sessionId: string, takeoverId: string): Promise<NumberedAct | undefined>;
  /** Keeps what the page asks; null where it asks nothing any more. */
  keepAsked(sessionId: string, takeoverId: string, asks: AskedByPage | null): Promise<void>;
  /** The first reason counts. */
  wantEnd(sessionId: string, takeoverId: string, end: TakeoverEnd): Promise<void>;
  /** Ends it, and drops what was not begun. */
  end(sessionId: string, takeoverId: string, end: TakeoverEnd): Promise<void>;
  /** What there is to do on a host. A takeover whose session goes on, or in which nothing was done for `limitMs`, is to end. */
  due(hostId: string, limitMs: number): Promise<DueTakeover[]>;
  /** Whether a person has acted since the session began to decide on this turn. */
  hasActedSince(sessionId: string, turn: { stepIndex: number; turn: number }): Promise<boolean>;
  /** Of sessions with something to do. */
  notifier: Notifier;
}

/** A session that was asked to pause for a takeover does so within this time, or the request was lost to a resume before it. */
const PAUSES_WITHIN_MS = 2000;

export function createTakeovers(sql: Sql, openClient: () => Sql, sealer: Sealer): Takeovers {
  const notifier = createNotifier(sql, openClient, 'surefoot_takeovers');
  const columns = sql`t.session_id, t.takeover_id, t.by, t.opened, t.wanted_end, t.ended, t.asks, (
    select count(*)::int from takeover_acts a where a.session_id = t.session_id and a.takeover_id = t.takeover_id) as waiting`;
  const placeOf = (sessionId: string, number: number) => `act ${number} of ${sessionId}`;
  const get = async (sessionId: string): Promise<TakeoverRow | null> => {
    const [row] = await sql<TakeoverRow[]>`select ${columns} from takeovers t where session_id = ${sessionId}`;
    return row ?? null;
  };
  return {
    notifier,
    get,
    async request(sessionId, takeoverId, by) {
      await sql`
        insert into takeovers (session_id, takeover_id, by) values (${sessionId}, ${takeoverId}, ${by ?? null})
        on conflict (session_id) do update set takeover_id = excluded.takeover_id, by = excluded.by, last_number = 0,
          opened = false, wanted_end = null, ended = false, asks = null, active_at = clock_timestamp()
        where takeovers.ended and takeovers.takeover_id <> excluded.takeover_id and not exists (
          select from commands c where c.session_id = excluded.session_id
            and starts_with(c.command_id, 'person.' || excluded.takeover_id || '.'))`;
      return (await get(sessionId))!;
    },
    async add(sessionId, takeoverId, acts) {
      const isTaken = await sql.begin(async (tx) => {
        const [row] = await tx<{ lastNumber: number }[]>`
          select last_number from takeovers
          where session_id = ${sessionId} and takeover_id = ${takeoverId} and not ended and wanted_end is null for update`;
        if (row === undefined) return false;
        const fresh = acts.filter(({ number }) => number > row.lastNumber);
        for (const { number, act } of fresh)
          await tx`
            insert into takeover_acts (session_id, takeover_id, number, act)
            values (${sessionId}, ${takeoverId}, ${number},
              ${sealer.seal(JSON.stringify(act), placeOf(sessionId, number))}) on conflict do nothing`;
        const last = Math.max(row.lastNumber, ...fresh.map(({ number }) => number));
        await tx`
          update takeovers set last_number = ${last}, active_at = clock_timestamp() where session_id = ${sessionId}`;
        return true;
      });
      if (isTaken) await notifier.notify(sessionId);
      return isTaken;
    },
    async next(sessionId, takeoverId) {
      const [row] = await sql<{ number: number; act: string }[]>`
        select number, act from takeover_acts where session_id = ${sessionId} and takeover_id = ${takeoverId}
        order by number limit 1`;
      if (row === undefined) return undefined;
      const text = sealer.open(row.act, placeOf(sessionId, row.number));
      if (text === null) throw new Error('An act of a person was sealed with another SUREFOOT_SECRET_KEY.');
      return { number: row.number, act: PersonActSchema.parse(JSON.parse(text)) };
    },
    async keepAsked(sessionId, takeoverId, asks) {
      await sql`
        update takeovers set asks = ${asks === null ? null : sql.json(asks as never)}
        where session_id = ${sessionId} and takeover_id = ${takeoverId} and not ended
          and (asks is not null or ${asks !== null})`;
    },
    async wantEnd(sessionId, takeoverId, end) {
      await sql`
        update takeovers set wanted_end = ${end}, active_at = clock_timestamp()
        where session_id = ${sessionId} and takeover_id = ${takeoverId} and not ended and wanted_end is null`;
      await notifier.notify(sessionId);
    },
    async end(sessionId, takeoverId, end) {
      await sql.begin(async (tx) => {
        await tx`
          update takeovers set ended = true, asks = null, wanted_end = coalesce(wanted_end, ${end})
          where session_id = ${sessionId} and takeover_id = ${takeoverId}`;
        await tx`delete from takeover_acts where session_id = ${sessionId} and takeover_id = ${takeoverId}`;
      });
    },
    async due(hostId, limitMs) {
      await sql`
        update takeovers t set opened = t.opened or s.paused, wanted_end = case
          when t.opened and not s.paused then 'resumed'
          when t.active_at < clock_timestamp() - ${limitMs} * interval '1 millisecond' then 'time-limit' end
        from sessions s, leases l
        where s.session_id = t.session_id and l.session_id = t.session_id and l.host_id = ${hostId} and not t.ended
          and t.wanted_end is null
          and (t.opened <> s.paused or t.active_at < clock_timestamp() - ${limitMs} * interval '1 millisecond')`;
      return await sql<DueTakeover[]>`
        select t.session_id, t.takeover_id, l.worker_id,
          (extract(epoch from clock_timestamp() - coalesce(first.added_at, t.active_at)) * 1000)::float8 as waiting_for_ms
        from takeovers t join leases l using (session_id) join sessions s using (session_id), lateral (
          select min(a.added_at) as added_at from takeover_acts a
          where a.session_id = t.session_id and a.takeover_id = t.takeover_id) first
        where l.host_id = ${hostId} and not t.ended and (t.wanted_end is not null or first.added_at is not null
          or (not t.opened and not s.paused and t.active_at < clock_timestamp() - ${PAUSES_WITHIN_MS} * interval '1 millisecond'))`;
    },
    async hasActedSince(sessionId, { stepIndex, turn }) {
      const rows = await sql`
        select from takeovers where session_id = ${sessionId} and exists (
          select from events e where e.session_id = ${sessionId} and e.type = 'COMMAND_STARTED'
            and e.step_index = ${stepIndex} and e.data->'details'->>'by' = 'person' and e.seq > (
              select min(seq) from events f
              where f.session_id = ${sessionId} and f.step_index = ${stepIndex} and f.turn = ${turn}))`;
      return rows.length > 0;
    },
  };
}
