import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { ENGINE_QUEUE, SESSION_WORKFLOW } from '../../contracts/queues';
import { workflowBackstop } from '../../contracts/sessions/activity-limits';
import { connectionIssues, type Connections } from '../../contracts/sessions/model-connections';
import { secretValues, sourceIssues } from '../../contracts/sessions/secrets';
import { SessionStatus } from '../../contracts/sessions/session';
import {
  DEFAULT_PRIORITY,
  DEFAULT_TENANT,
  type ParsedStart,
  type PlannedStart,
  type SessionPlan,
  type StartRequest,
} from '../../contracts/sessions/start-request';
import { shownInstruction, toCarriedStart } from '../../contracts/sessions/carried-steps';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { maxOpenSessions, tooManySessions } from './admission';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { keyReused, parseIdempotencyKey } from '../connection/idempotency-key';
import { ClientError, type StartedSession } from '../port/port';
import { invalid, refuseBelowFloor } from '../connection/invalid';
import { assertPairedBrowser } from './paired-browser';
import { isEnded } from '../rows/session-row';
import { stepList, workflowSummary } from './workflow-summary';
import { schemaIssues } from '../../runtime/schemas/given-schemas';
import { floorIssues, type Floors } from '../../runtime/settings/floors/floor-issues';
import { fromStore } from '../connection/store-errors';
import { toClientError } from '../connection/temporal-errors';
import type { Issue } from '../../contracts/errors/issues';

/** A shorter value may occur in any text by chance. */
const MIN_SECRET_LENGTH = 5;

export interface StartParts {
  store: Store;
  temporal: Client;
  /** How many sessions may be open at once; by the browsers of all hosts unless set. */
  maxSessions?: number | undefined;
  floors?: Floors | undefined;
  /** The model connections that a session may name. */
  connections?: Connections | undefined;
  /** Prepares the session before its workflow starts; when it rejects, the start is refused. */
  join?: ((sessionId: string) => Promise<void>) | undefined;
}

/**
 * Row first, then workflow: a start that dies in between leaves a row that is ended for it, never a hidden session. One
 * that is refused leaves none, unless it may come again under its key.
 */
export async function startSession(
  { store, temporal, maxSessions, connections = {}, floors, join }: StartParts,
  parsed: ParsedStart,
  idempotencyKey: string | undefined,
): Promise<StartedSession> {
  if (parsed.kind === 'invalid') throw invalid('The session can not be started', parsed.issues);
  const issues = [
    ...sourceIssues(parsed.request),
    ...(await schemaIssues(parsed.request)),
    ...secretValueIssues(parsed),
    ...connectionIssues(parsed.plan, connections),
  ];
  if (issues.length > 0) throw invalid('The session can not be started', issues);
  const { plan } = parsed;
  if (floors !== undefined) refuseBelowFloor('The session can not be started', floorIssues(plan, floors));
  const values = secretValues(parsed.request);
  // A plan has no values of secrets: from here on only the store has them.
  const carried = toCarriedStart(parsed);
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
  const steps = start.plan.steps.map((step) => shownInstruction(step.instruction));
  try {
    await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.start, () =>
      temporal.workflow.start(SESSION_WORKFLOW, {
        workflowId,
        taskQueue: ENGINE_QUEUE,
        args: [start],
        ...workflowBackstop(start.plan.config.timeouts.workflowTimeoutMs),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: workflowSummary(start.plan.name, steps),
        staticDetails: stepList(steps),
        memo: { steps },
        priority: { priorityKey: start.priority ?? DEFAULT_PRIORITY, fairnessKey: tenantOf(start) },
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

/** Refuses steps that contain a secret, because steps go to the model and to the log unchanged. */
function secretValueIssues({ request, plan: { steps } }: { request: StartRequest; plan: SessionPlan }): Issue[] {
  return Object.entries(secretValues(request)).flatMap(([alias, value]) =>
    steps.flatMap(({ instruction }, index) =>
      value.length > MIN_SECRET_LENGTH && instruction.includes(value)
        ? [
            {
              path: `steps[${index}]`,
              message: `it has the value of the secret ${alias} in it; write \${${alias}} instead`,
            },
          ]
        : [],
    ),
  );
}

function tenantOf({ tenant }: PlannedStart): string {
  return tenant ?? DEFAULT_TENANT;
}
