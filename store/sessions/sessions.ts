import { randomUUID } from 'node:crypto';
import type { Sql, Transaction } from '../database/connect';
import type { AgentConfigInput } from '../../contracts/tasks/agent-config';
import type { Budget } from '../../contracts/models/budget';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { PageWaitState } from '../../contracts/sessions/page-wait';
import { SessionStatus } from '../../contracts/sessions/session';
import type { SessionPlan } from '../../contracts/sessions/start-request';
import type { Step } from '../../contracts/sessions/step-input';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import { withReadTimeout } from '../database/read-timeout';
import { withRefusals } from '../database/refusals';
import type { Sealer } from '../database/sealer';
import type { ModuleOverrides } from './module-overrides';
import { PlanCache } from './plan-cache';
import { selectRunProgress, type RunProgress } from './run-progress';
import { listSessions, type ListFacts, type SessionListOptions } from './list-sessions';
import { insertSecrets } from './secrets';

/** A session's row: the read model of the API, and what fences writers off. */
export interface SessionRow {
  sessionId: string;
  workflowId: string;
  /** The Temporal run that may write; null until the workflow has begun. */
  runId: string | null;
  status: SessionStatus;
  paused: boolean;
  closed: boolean;
  /** Of the system that made it. */
  version: string;
  /** Of the oldest record that is kept. */
  firstSeq: number;
  lastSeq: number;
  epoch: number;
  executorSessionId: string;
  streamId: string;
  aiConnectionId: string;
  plan: SessionPlan;
  currentStep: number;
  error: StandardError | null;
  /** What a person is asked for. */
  waitingFor: WaitingFor | null;
  /** How far the wait on its page has come; null where it does not wait on one. */
  pageWait: PageWaitState | null;
  /** What it may use; null where there is no limit. */
  budget: Budget | null;
  moduleOverrides: ModuleOverrides;
  createdAt: Date;
  lastActivity: Date;
  /** Log and journal have expired and were deleted; only the row is left. */
  isExpired: boolean;
}

export type ListedRow = SessionRow & ListFacts;

export interface CreatedSession {
  row: SessionRow;
  isNew: boolean;
}

export interface NewSession {
  sessionId: string;
  workflowId: string;
  plan: SessionPlan;
  /** Values of secrets by alias; sealed before they are written. */
  secretValues?: Readonly<Record<string, string>> | undefined;
}
/** A row with what the reconciler compares with Temporal; times by the database's clock. */
export type CheckedRow = SessionRow & RunProgress & { idleMs: number };

export interface SessionRows {
  /**
   * Creates the row unless the workflow id has one already; either way resolves to the row. With a limit it resolves to
   * null when as many sessions are open and this one would be another.
   */
  create(session: NewSession): Promise<CreatedSession>;
  create(session: NewSession, limit: number): Promise<CreatedSession | null>;
  /** Removes the row of a start that failed. One that has a run or a log stays. */
  removeUnstarted(sessionId: string): Promise<void>;
  get(sessionId: string): Promise<SessionRow | null>;
  /** Ids of at most `limit` sessions that begin with these hexadecimal digits. */
  beginningWith(digits: string, limit: number): Promise<string[]>;
  list(options: SessionListOptions): Promise<{ rows: ListedRow[]; total: number }>;
  /**
   * Names the run that may write from now on: the first one of a new session, or the one that continues as new from
   * the run that is named now. Any other run (a reset) is refused.
   */
  assignRun(sessionId: string, runId: string, continuedFrom: string | undefined): Promise<void>;
  addSteps(sessionId: string, steps: readonly Step[], firstIndex: number): Promise<void>;
  /** Changes how a session's tasks are run, from the next model turn on. One that has ended stays as it was. */
  configureAgent(sessionId: string, change: AgentConfigInput): Promise<void>;
  /** Up to `limit` sessions that are open, or were asked, and were not checked for `olderThanMs`; marked as checked now. */
  takeForCheck(limit: number, olderThanMs: number): Promise<CheckedRow[]>;
}

/** The columns of a SessionRow. */
export function selectSession(sql: Sql) {
  return sql`${selectWithoutPlan(sql)}, plan`;
}

function selectWithoutPlan(sql: Sql) {
  // A session that was ended from outside asks nobody any more, so it waits for nothing.
  return sql`session_id, workflow_id, run_id, status, paused, closed, version, first_seq, next_seq - 1 as last_seq, epoch,
    executor_session_id, stream_id, ai_connection_id, current_step, error,
    case when not closed then waiting_for end as waiting_for,
    case when not closed then page_wait end as page_wait, budget, module_overrides, created_at, last_activity,
    expired_at is not null as is_expired`;
}

/** Any number that no other advisory lock of ours has. */
const ADMISSION_LOCK = 5_004;

/** Whether a session of this workflow would be one more than the limit. */
async function isFull(tx: Transaction, workflowId: string, limit: number): Promise<boolean> {
  // One at a time, or many that count at once would all find the last place free.
  await tx`select pg_advisory_xact_lock(${ADMISSION_LOCK})`;
  const [state] = await tx<{ isFull: boolean }[]>`
    select not exists (select from sessions where workflow_id = ${workflowId})
      and (select count(*) from sessions where not closed) >= ${limit} as is_full`;
  return state!.isFull;
}

/** In a transaction: a session without its variables would run and type their names. */
async function insertSession(
  tx: Transaction,
  columns: ReturnType<typeof selectSession>,
  sealer: Sealer,
  { sessionId, workflowId, plan, secretValues = {} }: NewSession,
): Promise<CreatedSession> {
  const [inserted] = await tx<SessionRow[]>`
    insert into sessions (session_id, workflow_id, status, executor_session_id, stream_id, ai_connection_id, plan,
      version, budget)
    values (${sessionId}, ${workflowId}, ${SessionStatus.INITIALIZING}, ${randomUUID()}, ${randomUUID()},
      ${plan.config.ai.connectionId}, ${tx.json(plan as never)}, ${SYSTEM_VERSION_TEXT},
      ${plan.config.budget === undefined ? null : tx.json(plan.config.budget as never)})
    on conflict do nothing returning ${columns}`;
  if (inserted === undefined) {
    const [row] = await tx<SessionRow[]>`select ${columns} from sessions where workflow_id = ${workflowId}`;
    return { row: row!, isNew: false };
  }
  for (const [name, value] of Object.entries(plan.variables)) {
    await tx`
      insert into variables (session_id, name, value, env, source) values (${sessionId}, ${name},
        ${typeof value === 'string' ? value : null}, ${typeof value === 'string' ? null : value.env}, 'user_input')`;
  }
  await insertSecrets(tx, sealer, sessionId, plan.secrets ?? {}, secretValues);
  return { row: inserted, isNew: true };
}

export function createSessionRows(sql: Sql, sealer: Sealer): SessionRows {
  const columns = selectSession(sql);
  const plans = new PlanCache();
  function create(session: NewSession): Promise<CreatedSession>;
  function create(session: NewSession, limit: number): Promise<CreatedSession | null>;
  function create(session: NewSession, limit?: number): Promise<CreatedSession | null> {
    return sql.begin(async (tx) => {
      if (limit !== undefined && (await isFull(tx, session.workflowId, limit))) return null;
      return await insertSession(tx, columns, sealer, session);
    });
  }
  return {
    create,
    async removeUnstarted(sessionId) {
      await sql`delete from sessions where session_id = ${sessionId} and run_id is null and next_seq = 1`;
    },
    async get(sessionId) {
      for (let known = plans.versionOf(sessionId); ; known = null) {
        const [found] = await withReadTimeout(
          sql<(Omit<SessionRow, 'plan'> & { plan: SessionPlan | null; planVersion: string })[]>`
            select ${selectWithoutPlan(sql)}, plan_version,
              case when plan_version is distinct from ${known}::uuid then plan end as plan
            from sessions where session_id = ${sessionId}`,
        );
        if (found === undefined) return null;
        const { planVersion, ...row } = found;
        const plan = plans.take(sessionId, planVersion, row.plan);
        // Undefined where this process has forgotten it meanwhile.
        if (plan !== undefined) return { ...row, plan };
      }
    },
    async beginningWith(digits, limit) {
      const [, ...groups] = /^(.{0,8})(.{0,4})(.{0,4})(.{0,4})(.*)$/.exec(digits)!;
      const begin = groups.filter((group) => group !== '').join('-');
      const rows = await withReadTimeout(
        sql<{ sessionId: string }[]>`
          select session_id from sessions where session_id like ${`${begin}%`}
          order by session_id limit ${limit}`,
      );
      return rows.map(({ sessionId }) => sessionId);
    },
    list: (options) => listSessions<SessionRow>(sql, columns, options),
    async assignRun(sessionId, runId, continuedFrom) {
      const [row] = await sql`
        update sessions set run_id = ${runId}, run_to_start_over = null,
          history_length = case when run_id = ${runId} then history_length end
        where session_id = ${sessionId} and run_to_start_over is distinct from ${runId}
          and (run_id is null or run_id = ${runId} or run_id = ${continuedFrom ?? ''}) returning session_id`;
      if (row === undefined) await withRefusals(sql`select guarded_session(${sessionId}, ${sql.json({ runId })})`);
    },
    async addSteps(sessionId, steps, firstIndex) {
      // Written at its place and only where the plan gets longer by it, so that a repeated or late attempt changes nothing.
      await sql`
        update sessions set plan = jsonb_set(plan, '{steps}', (
          select jsonb_agg(value order by ordinality) from (
            select value, ordinality from jsonb_array_elements(plan->'steps') with ordinality where ordinality <= ${firstIndex}
            union all
            select value, ${firstIndex} + ordinality from jsonb_array_elements(${sql.json(steps as never)}) with ordinality
          ) as merged))
        where session_id = ${sessionId} and jsonb_array_length(plan->'steps') < ${firstIndex + steps.length}`;
    },
    async configureAgent(sessionId, change) {
      await sql`
        update sessions set plan = jsonb_set(plan, '{config,agent}',
          coalesce(plan->'config'->'agent', '{}') || ${sql.json(change as never)})
        where session_id = ${sessionId} and not closed`;
    },
    async takeForCheck(limit, olderThanMs) {
      const rows = await sql<CheckedRow[]>`
        update sessions set checked_at = clock_timestamp() where session_id in (
          select session_id from sessions
          where (not closed or verify_asked_at is not null) and checked_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'
          order by checked_at limit ${limit} for update skip locked)
        returning ${columns}, ${selectRunProgress(sql)},
          extract(epoch from clock_timestamp() - last_activity)::float8 * 1000 as idle_ms`;
      return [...rows];
    },
  };
}
