import { isTerminal, ownersOf, type LogRecord, type NewRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { Approval } from '../../contracts/approvals/approval';
import type { Revocation } from '../../contracts/approvals/remembered-approval';
import type { StreamFilter } from '../../contracts/events/stream-filter';
import type { AppliedMessage } from '../../contracts/messages/control-message';
import type { KnownWrites, ResolvedUnknown, RowPatch } from '../../contracts/events/outbox';
import type { TransactionSql } from 'postgres';
import type { Sql } from '../database/connect';
import type { LogNotifier } from './log-notifier';
import { withReadTimeout } from '../database/read-timeout';
import { withoutNulls, type Stored } from '../database/rows';
import { StoreRefusal, withRefusals } from '../database/refusals';
import { revokeApproval, saveApproval } from '../approvals/approvals';
import { saveAppliedMessage } from '../messages/control-messages';
import { resolveUnknown } from '../approvals/resolve-unknown';

/** What a writer takes for current; the store refuses it where it is out of date. */
export interface Guard extends KnownWrites {
  runId?: string;
  epoch?: number;
}

/** The reader's cursor lies before the oldest record that is kept: reading on would leave records out. */
export class LogCut extends Error {
  constructor(
    /** Seq of the oldest record that is kept. */
    readonly firstSeq: number,
    /** Nothing of the log is kept. */
    readonly isExpired: boolean,
  ) {
    super(`The records before ${firstSeq} were removed.`);
  }
}

/** The one event log: appends are gap-free, idempotent by event id, and in reading order. */
export interface EventLog {
  /** Resolves to the last seq of the session. Known ids are dropped. Throws StoreRefusal. */
  append(
    sessionId: string,
    records: readonly NewRecord[],
    options?: {
      guard?: Guard;
      patch?: RowPatch;
      resolutions?: readonly ResolvedUnknown[];
      approvals?: readonly Approval[];
      revocations?: readonly Revocation[];
      messages?: readonly AppliedMessage[];
    },
  ): Promise<number>;
  /** Throws StoreRefusal where the guard is out of date, or the database has forgotten what it names. */
  assertKnown(sessionId: string, guard: Guard): Promise<void>;
  /** Whether records of the session were lost, because the database was put back to an earlier time. */
  hasLost(sessionId: string): Promise<boolean>;
  /** Throws LogCut where records after `after` were removed. */
  read(sessionId: string, after: number, limit: number, filter?: StreamFilter): Promise<LogRecord[]>;
  /** Every record after `after`, live, up to the terminal one; ends early when the signal aborts. Throws LogCut. */
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<LogRecord[], void>;
}

/** A record as it is stored; null where the record has no such member. */
type EventRow = Stored<Omit<LogRecord, 'at'>, 'attempt' | 'stepIndex' | 'turn' | 'facts'> & { at: Date };

/** Which records of a session are kept. */
interface KeptRange {
  firstSeq: number;
  nextSeq: number;
  isExpired: boolean;
}

const PAGE = 500;

function assertKept({ firstSeq, nextSeq, isExpired }: KeptRange, after: number): void {
  const oldest = isExpired ? nextSeq : firstSeq;
  if (after + 1 < oldest) throw new LogCut(oldest, isExpired);
}

export function assertOwners(records: readonly NewRecord[]): void {
  for (const { type, owner } of records) {
    if (!ownersOf(type).includes(owner)) {
      throw new Error(`${type} may be published by ${ownersOf(type).join(' or ')}, not by ${owner} (S1.R12).`);
    }
  }
}

export function createEventLog(sql: Sql, notifier: LogNotifier): EventLog {
  async function read(
    sessionId: string,
    after: number,
    limit: number,
    { types, stepIndex, since, until }: StreamFilter = {},
  ): Promise<LogRecord[]> {
    // A record's time is published in milliseconds and stored in microseconds.
    const wanted = sql`
      ${types === undefined ? sql`` : sql`and type in ${sql(types)}`}
      ${stepIndex === undefined ? sql`` : sql`and step_index = ${stepIndex}`}
      ${since === undefined ? sql`` : sql`and date_trunc('milliseconds', at) >= ${since}`}
      ${until === undefined ? sql`` : sql`and date_trunc('milliseconds', at) <= ${until}`}`;
    // In one statement with what is kept: records may be removed at any moment.
    const rows = await withReadTimeout(sql<(KeptRange & (EventRow | { seq: null }))[]>`
      select s.session_id, s.first_seq, s.next_seq, s.expired_at is not null as is_expired, e.*
      from sessions s left join lateral (
        select seq, event_id, owner, type, at, attempt, step_index, turn, data, facts from events
        where session_id = s.session_id and seq > ${after} ${wanted} order by seq limit ${limit}) as e on true
      where s.session_id = ${sessionId} order by e.seq`);
    if (rows[0] !== undefined) assertKept(rows[0], after);
    return rows.flatMap(({ firstSeq: _first, nextSeq: _next, isExpired: _expired, ...row }) =>
      row.seq === null ? [] : [{ ...withoutNulls(row), at: row.at.toISOString() }],
    );
  }

  return {
    async append(sessionId, records, options = {}) {
      const { guard = {}, patch = {}, resolutions = [], approvals = [], revocations = [], messages = [] } = options;
      assertOwners(records);
      const write = async (db: Sql | TransactionSql): Promise<number> => {
        const [row] = await db<
          { seq: number }[]
        >`select append_events(${sessionId}, ${sql.json(guard as never)}, ${sql.json(records as never)}, ${sql.json(patch as never)}) as seq`;
        return row!.seq;
      };
      const seq = await withRefusals(
        [resolutions, approvals, revocations, messages].every(({ length }) => length === 0)
          ? write(sql)
          : sql.begin(async (tx) => {
              const last = await write(tx);
              for (const resolution of resolutions) await resolveUnknown(tx, sessionId, resolution);
              for (const approval of approvals) await saveApproval(tx, approval);
              for (const revocation of revocations) await revokeApproval(tx, sessionId, revocation);
              for (const message of messages) await saveAppliedMessage(tx, message);
              return last;
            }),
      );
      notifier.notify(sessionId);
      return seq;
    },
    async assertKnown(sessionId, guard) {
      const [session] = await withRefusals(
        sql`select check_guard(s, ${sql.json(guard as never)}) from sessions s where session_id = ${sessionId}`,
      );
      if (session === undefined) throw new StoreRefusal('unknown-session', `There is no session ${sessionId}.`);
    },
    async hasLost(sessionId) {
      const [row] = await sql<{ hasLost: boolean }[]>`
        select exists (select from events where session_id = ${sessionId} and type = ${StreamEventType.WARNING_ISSUED}
          and data->'warning'->'details' ? 'lostFrom') as has_lost`;
      return row!.hasLost;
    },
    read,
    async *follow(sessionId, after, signal) {
      let cursor = after;
      const subscription = await notifier.subscribe(sessionId);
      try {
        while (!signal.aborted) {
          // Reset before the read, so that a record that is appended between read and wait ends the wait.
          subscription.reset();
          const records = await read(sessionId, cursor, PAGE);
          const last = records.at(-1);
          if (last !== undefined) {
            cursor = last.seq;
            yield records;
            if (isTerminal(last.type)) return;
          }
          if (records.length < PAGE) await subscription.waitForAppend(signal);
        }
      } finally {
        subscription.close();
      }
    },
  };
}
