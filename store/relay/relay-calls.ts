import type { ToolInput } from '../../contracts/tools/tool-input';
import { remoteEffect } from '../../contracts/tools/browser-tools';
import { settleWith } from '../../contracts/relay/relay-call';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql, Transaction } from '../database/connect';
import { withRefusals, StoreRefusal } from '../database/refusals';
import {
  sentCallOf,
  settle,
  toSent,
  toSettled,
  type SentCall,
  type RelayCallRow,
  type SettledCall,
} from './relay-call-rows';
import { HOLDER_GONE_AFTER_MS, type HeldConnection } from './relay-sessions';

/** A requested call. `taskToken` completes the activity that waits for it. */
export interface NewRelayCall {
  requestId: string;
  sessionId: string;
  runId: string;
  browserSessionId: string;
  tenant: string;
  tool: string;
  input: ToolInput;
  timeoutMs: number;
  /** How long the session waits for a browser that is not connected. */
  waitForBrowserMs: number;
  taskToken: Uint8Array;
}

type Requested =
  | { kind: 'pending' }
  | { kind: 'settled'; call: SettledCall }
  | { kind: 'refused'; reason: 'no-browser' | 'revoked' | 'expired' | 'other-arguments' };

/** Calls on their way to a browser; what comes back is in relay-answers.ts. */
export interface RelayCalls {
  /** Writes the call unless it is known, and names the task that waits for it now. One that is answered is not asked again. */
  request(call: NewRelayCall): Promise<Requested>;
  /** Which of these browsers have a call that waits. */
  waiting(browserSessionIds: readonly string[]): Promise<string[]>;
  /** The next call for the browser, marked as sent: one at a time, and none of a session that is paused or has ended. */
  take(connection: HeldConnection): Promise<SentCall | null>;
  /** Calls that were sent over an earlier connection and are not answered; each gets its time anew. */
  takeOver(connection: HeldConnection): Promise<string[]>;
  /**
   * The client's memory does not have it. Resolves to the call where it may be sent again: it went to this same memory
   * and so never arrived, or it does no harm. Else its outcome is unknown for good.
   */
  resendUnknown(connection: HeldConnection, requestId: string): Promise<SentCall | null>;
  /** Removes a call that was never sent and that no activity waits for any more. */
  withdraw(requestId: string): Promise<boolean>;
}

/** The process with the newest connection; the lock keeps it the newest until the transaction ends. */
async function memoryOf(tx: Transaction, { browserSessionId, epoch }: HeldConnection): Promise<string | undefined> {
  const [row] = await tx<{ memoryId: string }[]>`
    select memory_id from browser_sessions where browser_session_id = ${browserSessionId} and epoch = ${epoch}
      and holder is not null and revoked_at is null and expires_at > clock_timestamp() for update`;
  return row?.memoryId;
}

export function createRelayCalls(sql: Sql): RelayCalls {
  const after = (ms: unknown) => sql`clock_timestamp() + (${ms as never}) * interval '1 millisecond'`;
  /**
   * Renews the deadline, up to the end of the call, so that a client that reconnects again and again without an answer
   * delays it only so far.
   */
  const anew = sql`least(${after(sql`timeout_ms`)}, ends_at)`;
  return {
    request: (call) => withRefusals(sql.begin((tx) => request(tx, call)) as Promise<Requested>),
    async waiting(browserSessionIds) {
      if (browserSessionIds.length === 0) return [];
      const rows = await withReadTimeout(sql<{ browserSessionId: string }[]>`
        select distinct browser_session_id from relay_calls
        where state = 'waiting' and browser_session_id in ${sql(browserSessionIds as string[])}`);
      return rows.map((row) => row.browserSessionId);
    },
    take: (connection) =>
      sql.begin(async (tx) => {
        const memoryId = await memoryOf(tx, connection);
        if (memoryId === undefined) return null;
        const { browserSessionId, epoch } = connection;
        const [row] = await tx<RelayCallRow[]>`
          update relay_calls set state = 'sent', sent_epoch = ${epoch}, sent_memory = ${memoryId},
            send_count = send_count + 1, deadline_at = ${after(sql`timeout_ms`)}, ends_at = ${after(sql`2 * timeout_ms + wait_ms`)}
          where request_id = (
            select c.request_id from relay_calls c join sessions s using (session_id)
            where c.browser_session_id = ${browserSessionId} and c.state = 'waiting' and not s.closed and not s.paused
              and not exists (select from relay_calls o where o.browser_session_id = ${browserSessionId} and o.state = 'sent')
            order by c.created_at limit 1 for update of c)
          returning *`;
        return row === undefined ? null : toSent(row);
      }),
    takeOver: (connection) =>
      sql.begin(async (tx) => {
        if ((await memoryOf(tx, connection)) === undefined) return [];
        const { browserSessionId, epoch } = connection;
        const rows = await tx<{ requestId: string }[]>`
          update relay_calls set sent_epoch = ${epoch}, deadline_at = ${anew}
          where browser_session_id = ${browserSessionId} and state = 'sent' and sent_epoch < ${epoch}
          returning request_id`;
        return rows.map((row) => row.requestId);
      }),
    resendUnknown: (connection, requestId) =>
      sql.begin(async (tx) => {
        const memoryId = await memoryOf(tx, connection);
        if (memoryId === undefined) return null;
        const row = await sentCallOf(tx, connection.browserSessionId, requestId);
        if (typeof row === 'string') return null;
        const call = toSent(row);
        if (row.sentMemory !== memoryId && remoteEffect(call.tool, call.input) === 'commit') {
          await settle(tx, requestId, 'answered', settleWith('forgotten-unknown'));
          return null;
        }
        await tx`
          update relay_calls set sent_epoch = ${connection.epoch}, sent_memory = ${memoryId}, send_count = send_count + 1,
            deadline_at = ${anew}
          where request_id = ${requestId}`;
        return call;
      }),
    async withdraw(requestId) {
      const rows = await sql`
        delete from relay_calls where request_id = ${requestId} and state in ('waiting', 'unsent') returning 1`;
      return rows.length > 0;
    },
  };
}

async function request(tx: Transaction, call: NewRelayCall): Promise<Requested> {
  const { requestId, sessionId, browserSessionId, waitForBrowserMs } = call;
  const [session] = await tx`select (guarded_session(${sessionId}, ${tx.json({ runId: call.runId })})).closed`;
  if (session!.closed === true) throw new StoreRefusal('closed', `Session ${sessionId} has ended.`);
  const input = JSON.stringify(call.input);
  const [known] = await tx<RelayCallRow[]>`select * from relay_calls where request_id = ${requestId} for update`;
  if (known !== undefined) {
    if (known.tool !== call.tool || known.input !== input) return { kind: 'refused', reason: 'other-arguments' };
    // A call that was not sent may be requested again only after that was reported to the one who requested it.
    if (known.state === 'answered' || (known.state === 'unsent' && known.reportedAt === null)) {
      await tx`update relay_calls set reported_at = clock_timestamp() where request_id = ${requestId}`;
      return { kind: 'settled', call: toSettled(known) };
    }
  }
  if (known?.state !== 'sent') {
    const [browser] = await tx<{ isRevoked: boolean; isExpired: boolean; isHeld: boolean }[]>`
      select revoked_at is not null as is_revoked, expires_at <= clock_timestamp() as is_expired,
        holder is not null and held_at > clock_timestamp() - ${HOLDER_GONE_AFTER_MS} * interval '1 millisecond' as is_held
      from browser_sessions where browser_session_id = ${browserSessionId} and tenant = ${call.tenant}`;
    if (browser === undefined) return { kind: 'refused', reason: 'no-browser' };
    if (browser.isRevoked) return { kind: 'refused', reason: 'revoked' };
    if (browser.isExpired) return { kind: 'refused', reason: 'expired' };
    // Without a connected browser and without time to wait for one, the call ends at once.
    if (known?.state !== 'waiting' && !browser.isHeld && waitForBrowserMs === 0)
      return { kind: 'settled', call: { requestId, ...settleWith('never-sent') } };
  }
  await tx`
    insert into relay_calls (request_id, session_id, browser_session_id, tool, input, timeout_ms, wait_ms, waits_until, task_token)
    values (${requestId}, ${sessionId}, ${browserSessionId}, ${call.tool}, ${input}, ${call.timeoutMs}, ${waitForBrowserMs},
      clock_timestamp() + ${waitForBrowserMs} * interval '1 millisecond', ${Buffer.from(call.taskToken)})
    on conflict (request_id) do update set task_token = excluded.task_token, reporting_at = null, reported_at = null,
      heartbeat_at = clock_timestamp(), wait_ms = excluded.wait_ms,
      waits_until = case relay_calls.state when 'unsent' then excluded.waits_until else relay_calls.waits_until end,
      state = case relay_calls.state when 'unsent' then 'waiting' else relay_calls.state end`;
  return { kind: 'pending' };
}
