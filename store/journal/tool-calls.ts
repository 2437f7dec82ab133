import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { NewRecord } from '../../contracts/events/log';
import type { LogNotifier } from '../events/log-notifier';
import type { Sql } from '../database/connect';
import { assertOwners, type Guard } from '../events/event-log';
import { withoutNulls, type Stored } from '../database/rows';
import { withRefusals } from '../database/refusals';

/** A dead worker leaves a call `executing`, without an end. */
export type StoredCallStatus = 'planned' | 'executing' | 'done';

/** How a call ended, redacted and capped: `text` is the model's message. */
export interface ToolCallOutcome {
  isError: boolean;
  text: string;
  /** One line. */
  summary: string;
  durationMs: number;
  /** Of an error, unless it is TL004. */
  code?: ErrorCode | undefined;
  /** A screenshot that it took. */
  artifactId?: string | undefined;
  /** The worker that ran it died: whether it took effect is unknown. */
  isUnknown?: true | undefined;
  /** It was stopped before it ended. */
  isCancelled?: true | undefined;
}

export interface NewToolCall {
  callId: string;
  stepIndex: number;
  turn: number;
  position: number;
  name: string;
  args: Record<string, unknown>;
  /** JSON schema of the arguments, of a tool that is none of the engine's own. */
  parameters?: Record<string, unknown> | undefined;
  functionId?: string | undefined;
  /** Of the command that carries it out, where one does. */
  commandId?: string | undefined;
}

export interface ToolCallRow extends NewToolCall {
  status: StoredCallStatus;
  outcome?: ToolCallOutcome;
}

/** The durable record of every tool call: its whole arguments, and of those that are no command how far they came. */
export interface ToolCalls {
  /**
   * Stores calls before anything is decided about them. A stored call keeps its arguments when it is planned again; only an
   * edit by a person (`isEdited`) replaces them, and only until the call has started.
   */
  plan(sessionId: string, calls: readonly NewToolCall[], how?: { isEdited?: boolean }): Promise<void>;
  get(sessionId: string, callId: string): Promise<ToolCallRow | null>;
  ofCommand(sessionId: string, commandId: string): Promise<ToolCallRow | null>;
  /** The result text of the newest call of these tools; empty where there is none. */
  lastText(sessionId: string, names: readonly string[]): Promise<string>;
  /**
   * Marks the call as executing by this attempt. Resolves to its status before, or to `stale-attempt` where a newer attempt
   * has started it. The entry and its records share a transaction.
   */
  begin(
    sessionId: string,
    guard: Guard,
    call: { callId: string; attempt: number },
    records: readonly NewRecord[],
  ): Promise<StoredCallStatus | 'stale-attempt'>;
  /**
   * Writes the outcome; the first one counts. Concurrent calls end in the log in the order in which they started: the
   * records of a call that ends earlier wait.
   */
  finish(
    sessionId: string,
    guard: Guard,
    callId: string,
    outcome: ToolCallOutcome,
    records: readonly NewRecord[],
  ): Promise<void>;
}

export function createToolCalls(sql: Sql, notifier: LogNotifier): ToolCalls {
  const json = (value: unknown) => sql.json(value as never);
  const find = async (where: ReturnType<Sql>): Promise<ToolCallRow | null> => {
    const [row] = await sql<Stored<ToolCallRow, 'parameters' | 'functionId' | 'commandId' | 'outcome'>[]>`
      select call_id, step_index, turn, position, name, args, parameters, function_id, command_id, status, outcome
      from tool_calls where ${where}`;
    return row === undefined ? null : withoutNulls(row);
  };
  return {
    async plan(sessionId, calls, { isEdited = false } = {}) {
      for (const { callId, stepIndex, turn, position, name, args, parameters, functionId, commandId } of calls) {
        const schema = parameters === undefined ? null : json(parameters);
        await sql`
          insert into tool_calls
            (session_id, call_id, step_index, turn, position, name, args, parameters, function_id, command_id)
          values (${sessionId}, ${callId}, ${stepIndex}, ${turn}, ${position}, ${name}, ${json(args)}, ${schema},
            ${functionId ?? null}, ${commandId ?? null})
          on conflict (session_id, call_id) do update
            set args = case when ${isEdited} then excluded.args else tool_calls.args end, command_id = excluded.command_id
            where tool_calls.status = 'planned'`;
      }
    },
    get: (sessionId, callId) => find(sql`session_id = ${sessionId} and call_id = ${callId}`),
    ofCommand: (sessionId, commandId) => find(sql`session_id = ${sessionId} and command_id = ${commandId}`),
    async lastText(sessionId, names) {
      const [row] = await sql<{ text: string }[]>`
        select outcome->>'text' as text from tool_calls
        where session_id = ${sessionId} and name in ${sql(names as string[])} and status = 'done'
        order by ended_at desc limit 1`;
      return row?.text ?? '';
    },
    async begin(sessionId, guard, { callId, attempt }, records) {
      assertOwners(records);
      const before = await withRefusals(
        sql.begin(async (tx) => {
          await tx`select append_events(${sessionId}, ${json(guard)}, ${json(records)}, '{}')`;
          const [row] = await tx<{ status: StoredCallStatus; attempts: number }[]>`
            select status, attempts from tool_calls where session_id = ${sessionId} and call_id = ${callId} for update`;
          if (row === undefined) throw new Error(`There is no tool call ${callId} in session ${sessionId}.`);
          if (row.status !== 'done' && row.attempts > attempt) return 'stale-attempt';
          await tx`
            update tool_calls set status = 'executing', attempts = ${attempt}, started_at = coalesce(started_at, clock_timestamp())
            where session_id = ${sessionId} and call_id = ${callId} and status <> 'done'`;
          return row.status;
        }),
      );
      notifier.notify(sessionId);
      return before;
    },
    async finish(sessionId, guard, callId, outcome, records) {
      assertOwners(records);
      await withRefusals(
        sql.begin(async (tx) => {
          // Locks the session's row: from here on nobody else starts or ends a call of it.
          await tx`select append_events(${sessionId}, ${json(guard)}, '[]', '{}')`;
          const [row] = await tx<{ stepIndex: number; turn: number }[]>`
            update tool_calls set status = 'done', outcome = ${json(outcome)}, pending = ${json(records)},
              started_at = coalesce(started_at, clock_timestamp()), ended_at = clock_timestamp()
            where session_id = ${sessionId} and call_id = ${callId} and status <> 'done' returning step_index, turn`;
          if (row === undefined) return;
          const started = await tx<{ callId: string; status: StoredCallStatus; pending: NewRecord[] | null }[]>`
            select call_id, status, pending from tool_calls where session_id = ${sessionId}
              and step_index = ${row.stepIndex} and turn = ${row.turn} and started_at is not null
            order by started_at, position`;
          const firstOpen = started.findIndex(({ status }) => status === 'executing');
          for (const each of firstOpen === -1 ? started : started.slice(0, firstOpen)) {
            if (each.pending === null) continue;
            await tx`select append_events(${sessionId}, '{}', ${json(each.pending)}, '{}')`;
            await tx`
              update tool_calls set pending = null where session_id = ${sessionId} and call_id = ${each.callId}`;
          }
        }),
      );
      notifier.notify(sessionId);
    },
  };
}
