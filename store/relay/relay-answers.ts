import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import { remoteEffect } from '../../contracts/tools/browser-tools';
import { settleWith, type RelayFailure } from '../../contracts/relay/relay-call';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql } from '../database/connect';
import { sentCallOf, settle, toSent, toSettled, type RelayCallRow, type SettledCall } from './relay-call-rows';
import { HOLDER_GONE_AFTER_MS, type HeldConnection } from './relay-sessions';

/** An activity that waits for a call. */
export interface WaitingTask {
  requestId: string;
  taskToken: Uint8Array;
}

/** The ends of calls, and the activity tasks that wait for them. */
export interface RelayAnswers {
  /** The first answer counts: `known` is a later one. `not-sent`: no such call was sent to this browser. */
  save(browserSessionId: string, requestId: string, result: BrowserToolResult): Promise<'saved' | 'known' | 'not-sent'>;
  /** Ends the calls that were sent over this connection, in these words. */
  endSent(connection: HeldConnection, sentence: RelayFailure): Promise<void>;
  /** Limits the calls of a browser that is gone to the time their session waits for it; to none where it can't come back. */
  browserLost(browserSessionId: string, comesBack: boolean): Promise<void>;
  /** Ends calls whose deadline has passed. */
  settleOverdue(): Promise<number>;
  /** Settled calls whose task was not completed yet, each for one process at a time. */
  takeUnreported(limit: number): Promise<(SettledCall & WaitingTask)[]>;
  markReported({ requestId, taskToken }: WaitingTask): Promise<void>;
  /** Tasks that are due for a heartbeat, each for one process at a time. */
  takeForHeartbeat(limit: number): Promise<WaitingTask[]>;
  /** The whole result, with its screenshot; null while there is none. */
  result(requestId: string): Promise<BrowserToolResult | null>;
}

const HEARTBEAT_EVERY_MS = 2500;
/** A process that took a settled call and did not report it within this time has died. */
const REPORT_AGAIN_MS = 3000;

export function createRelayAnswers(sql: Sql): RelayAnswers {
  const before = (ms: number) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;
  const isHeld = sql`coalesce(b.holder is not null and b.held_at > ${before(HOLDER_GONE_AFTER_MS)}, false)`;
  return {
    save: (browserSessionId, requestId, result) =>
      sql.begin(async (tx) => {
        const row = await sentCallOf(tx, browserSessionId, requestId);
        if (typeof row === 'string') return row;
        await settle(tx, requestId, 'answered', { result, isUnknown: false });
        return 'saved' as const;
      }),
    async endSent({ browserSessionId, epoch }, sentence) {
      await sql.begin(async (tx) => {
        const rows = await tx<{ requestId: string }[]>`
          select request_id from relay_calls
          where browser_session_id = ${browserSessionId} and state = 'sent' and sent_epoch = ${epoch} for update`;
        for (const row of rows) await settle(tx, row.requestId, 'answered', settleWith(sentence));
      });
    },
    async browserLost(browserSessionId, comesBack) {
      const ends = sql`clock_timestamp() + ${comesBack ? sql`wait_ms` : sql`0`} * interval '1 millisecond'`;
      await sql`
        update relay_calls set waits_until = ${ends}, deadline_at = case state when 'sent' then least(${ends}, ends_at) end
        where browser_session_id = ${browserSessionId} and state in ('waiting', 'sent')`;
    },
    settleOverdue: () =>
      sql.begin(async (tx) => {
        const rows = await tx<(RelayCallRow & { isThere: boolean })[]>`
          select c.*, ${isHeld} and c.sent_epoch = b.epoch as is_there
          from relay_calls c left join browser_sessions b using (browser_session_id)
          where (c.state = 'sent' and c.deadline_at < clock_timestamp())
            or (c.state = 'waiting' and c.waits_until < clock_timestamp() and not ${isHeld})
          order by c.created_at limit 100 for update of c skip locked`;
        for (const row of rows) {
          const isSent = row.state === 'sent';
          const ended = settleWith(isSent ? overdueSentence(row) : 'never-sent');
          await settle(tx, row.requestId, isSent ? 'answered' : 'unsent', ended);
        }
        return rows.length;
      }),
    async takeUnreported(limit) {
      const rows = await withReadTimeout(sql<RelayCallRow[]>`
        update relay_calls set reporting_at = clock_timestamp() where request_id in (
          select request_id from relay_calls
          where state in ('answered', 'unsent') and reported_at is null and task_token is not null
            and (reporting_at is null or reporting_at < ${before(REPORT_AGAIN_MS)})
          order by settled_at limit ${limit} for update skip locked)
        returning *`);
      return rows.map((row) => ({ ...toSettled(row), taskToken: row.taskToken }));
    },
    async markReported({ requestId, taskToken }) {
      await sql`
        update relay_calls set reported_at = clock_timestamp()
        where request_id = ${requestId} and task_token = ${Buffer.from(taskToken)}`;
    },
    async takeForHeartbeat(limit) {
      const rows = await withReadTimeout(sql<WaitingTask[]>`
        update relay_calls set heartbeat_at = clock_timestamp() where request_id in (
          select request_id from relay_calls
          where state in ('waiting', 'sent') and task_token is not null and heartbeat_at < ${before(HEARTBEAT_EVERY_MS)}
          order by heartbeat_at limit ${limit} for update skip locked)
        returning request_id, task_token`);
      return [...rows];
    },
    async result(requestId) {
      const [row] = await withReadTimeout(
        sql<RelayCallRow[]>`select * from relay_calls where request_id = ${requestId} and state = 'answered'`,
      );
      return row === undefined ? null : toSettled(row).result;
    },
  };
}

function overdueSentence(row: RelayCallRow & { isThere: boolean }): RelayFailure {
  const { tool, input } = toSent(row);
  const kind = remoteEffect(tool, input) === 'commit' ? 'unknown' : 'harmless';
  return row.isThere ? `late-${kind}` : `lost-${kind}`;
}
