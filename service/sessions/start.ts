import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { SESSION_WORKFLOW } from '../../contracts/queues';
import { secretValues } from '../../contracts/sessions/secrets';
import { SessionStatus } from '../../contracts/sessions/session';
import { type ParsedStart, type PlannedStart, type SessionPlan } from '../../contracts/sessions/start-request';
import { toCarriedStart } from '../../contracts/sessions/carried-steps';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { maxOpenSessions, tooManySessions } from './open-session-limit';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { keyReused, parseIdempotencyKey } from '../connection/idempotency-key';
import { ClientError, type StartedSession } from '../port/port';
import { assertPairedBrowser } from './paired-browser';
import { isEnded } from '../rows/session-row';
import { requireValidStart, type StartRules } from './valid-start';
import { tenantOf, workflowFacts } from '../../contracts/sessions/workflow-facts';
import { fromStore } from '../connection/store-errors';
import { toClientError } from '../connection/temporal-errors';

export interface StartParts extends StartRules {
  store: Store;
  temporal: Client;
  /** How many sessions may be open at once; by the browsers of all hosts unless set. */
  maxSessions?: number | undefined;
  /** Prepares the session before its workflow starts; when it rejects, the start is refused. */
  join?: ((sessionId: string) => Promise<void>) | undefined;
}

/**
 * Row first, then workflow: a start that dies in between leaves a row that is ended for it, never a hidden session. One
 * that is refused leaves none, unless it may come again under its key.
 */
export async function startSession(
  { store, temporal, maxSessions, join, ...rules }: StartParts,
  parsed: ParsedStart,
  idempotencyKey: string | undefined,
): Promise<StartedSession> {
  const valid = await requireValidStart(rules, parsed);
  const { plan } = valid;
  const values = secretValues(valid.request);
  // A plan has no values of secrets: from here on only the store has them.
  const carried = toCarriedStart(valid);
  if ('problem' in carried) throw new ClientError('too-large', 'SP001', carried.problem);
  const { start } = carried;
  const sessionId =
    idempotencyKey === undefined
      ? randomUUID()
      : sessionIdFromKey(tenantOf(start), parseIdempotencyKey(idempotencyKey));
  // A start that is repeated gets its session, whatever became of the browser since.
  const isRepeated = idempotencyKey !== undefined && (await fromStore(() => store.sessions.get(sessionId))) !== null;
  if (!isRepeated) await assertPairedBrowser(store, plan.config.agent, tenantOf(start));
  const created = await fromStore(async () => {
    const limit = await maxOpenSessions(store, maxSessions);
    const facts = { sessionId, workflowId: sessionId, plan, secretValues: values };
    return (await store.sessions.create(facts, limit)) ?? limit;
  });
  if (typeof created === 'number') throw tooManySessions(created);
  const { row, isNew } = created;
  if (!isNew) await fromStore(() => assertSameRequest(store, row, plan, values));
  // The same key may come again because its first start never reached Temporal.
  const wasStarted = row.runId !== null || isEnded(row);
  const joinAndStart = async (): Promise<boolean> => {
    await join?.(sessionId);
    return await startWorkflow(temporal, row, start);
  };
  const isStarted = await (wasStarted ? Promise.resolve(false) : joinAndStart()).catch(async (error: unknown) => {
    // Without a key nobody can ask for this session again: a row that is left would be shown as a failed session. If
    // Temporal has heard all the same, the session makes its row itself, unless it is too large to carry its plan. What
    // can't be removed now, the reconciler ends.
    if (idempotencyKey === undefined && start.isStored !== true)
      await store.sessions.removeUnstarted(sessionId).catch(() => {});
    throw error;
  });
  return {
    sessionId,
    workflowId: row.workflowId,
    ...(row.plan.config.enableStreaming ? { streamId: row.streamId } : {}),
    status: row.status,
    initialStatus: SessionStatus.INITIALIZING,
    createdAt: row.createdAt,
    isNew: isNew && isStarted,
    totalSteps: row.plan.steps.length,
    warnings: row.plan.warnings,
  };
}

/** Resolves to false when Temporal has that workflow already. */
async function startWorkflow(
  temporal: Client,
  { sessionId, workflowId, status }: SessionRow,
  start: PlannedStart,
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.start, () =>
      temporal.workflow.start(SESSION_WORKFLOW, {
        workflowId,
        ...workflowFacts(start),
        args: [start],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw toClientError(error, { sessionId, verb: 'started', status, isEnded: false });
  }
}

/** A key stands for one request. Steps that were added since the start are no part of it. */
async function assertSameRequest(
  store: Store,
  row: SessionRow,
  plan: SessionPlan,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  // What it was started with is gone with its log, or with the beginning of its log.
  if (row.isExpired || row.firstSeq > 1) return;
  const [first] = await store.log.read(row.sessionId, 0, 1);
  const startedWith: number = first?.data.details?.['totalSteps'] ?? row.plan.steps.length;
  const before = { ...row.plan, steps: row.plan.steps.slice(0, startedWith) };
  const kept = await store.secrets.ofSession(row.sessionId);
  // An ended session keeps no secrets to compare.
  const isOther = kept.some(({ alias, source }) => source.kind === 'value' && source.value !== values[alias]);
  if (!isOther && isDeepStrictEqual(before, JSON.parse(JSON.stringify(plan)))) return;
  throw keyReused(`session ${row.sessionId}`);
}
