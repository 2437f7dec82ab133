import { randomUUID } from 'node:crypto';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { ErrorCode } from '../contracts/errors/error-codes';
import { toCancellation } from '../contracts/errors/cancellation';
import { standardError } from '../contracts/errors/standard-error';
import { StreamEventType } from '../contracts/events/stream-event';
import { SessionStatus } from '../contracts/sessions/session';
import { WEBHOOK_WORKFLOW, webhookWorkflowId } from '../contracts/sessions/webhook';
import { ENGINE_QUEUE } from '../contracts/queues';
import type { Logger } from '../runtime/process';
import { closeSession } from '../store/sessions/close-session';
import { adviceAfter } from '../store/sessions/what-was-done';
import type { CheckedRow, SessionRow } from '../store/sessions/sessions';
import type { Store } from '../store/store';
import { startSweep, type Sweep } from '../runtime/sweep';

const PAUSE_MS = 3000;
const CHECK_EVERY_MS = 5000;
const BATCH = 50;
/** A row is written before its workflow is started: so long it may have none, while Temporal answers. */
const START_GRACE_MS = 30_000;
/** A workflow that has just ended may still be writing its last events through a retry. */
const END_GRACE_MS = 3000;
/** A task of a workflow that fails so often in a row does not succeed by being tried again. */
const STUCK_ATTEMPTS = 5;

interface ReconcilerDeps {
  store: Store;
  client: Client;
  logger: Logger;
}

/** Ends the row and log of sessions whose workflow was ended from outside (terminated, timed out, reset). */
export function startReconciler(deps: ReconcilerDeps): Sweep {
  // After an outage callers have yet to repeat their starts: a missing workflow may still be started.
  let answersSince: number | undefined;
  return startSweep(
    PAUSE_MS,
    async () => {
      const rows = await deps.store.sessions.takeForCheck(BATCH, CHECK_EVERY_MS);
      for (const row of rows) {
        await check(deps, row, answersSince === undefined ? 0 : performance.now() - answersSince);
        answersSince ??= performance.now();
      }
    },
    ({ message }) => {
      answersSince = undefined;
      deps.logger.warn({ error: message }, 'the reconciler could not check sessions; retrying');
    },
  );
}

async function check(deps: ReconcilerDeps, row: CheckedRow, answersForMs: number): Promise<void> {
  const { store, client, logger } = deps;
  const finding = await findingFor(client, row, answersForMs);
  if (finding === undefined) return;
  if (finding === 'stuck') return await warnOfStuckWorkflow(deps, row.sessionId);
  logger.warn(
    { sessionId: row.sessionId, reason: finding.message },
    'ending a session whose workflow was ended from outside',
  );
  const error = standardError({
    id: randomUUID(),
    timestamp: new Date(),
    code: finding.code,
    message: finding.message,
    ...(finding.status === SessionStatus.CANCELLED
      ? { suggestedAction: 'Start the session again if it is still wanted.' }
      : {}),
    sessionId: row.sessionId,
  });
  // Before the row is closed: a report that is started waits for the end, and none is forgotten by a worker that dies here.
  if (row.plan.config.webhook !== undefined) await startWebhookDelivery(client, row.sessionId);
  await closeSession(store, row.sessionId, {
    status: finding.status,
    error: finding.status === SessionStatus.CANCELLED ? toCancellation(error) : error,
  });
}

/**
 * A workflow whose tasks fail again and again has left its history, as when Temporal was put back to an earlier time while its
 * workers ran on, or has a bug that another version cures. It is not ended: a person decides.
 */
async function warnOfStuckWorkflow({ store, logger }: ReconcilerDeps, sessionId: string): Promise<void> {
  const id = `${sessionId}/stuck-workflow`;
  const advice =
    adviceAfter(sessionId, await store.journal.ofSession(sessionId)) ??
    'It has done nothing yet that is not taken back.';
  const message =
    'Temporal can not continue the workflow of this session: its tasks fail one after another, as after Temporal was put back ' +
    `to an earlier time. If no other version of the workers cures it, end it with \`npx surefoot cancel ${sessionId}\`, or terminate it in Temporal. ${advice}`;
  logger.warn({ sessionId }, message);
  const warning = { id, code: 'SP002', message, timestamp: new Date(), sessionId };
  const type = StreamEventType.WARNING_ISSUED;
  const at = warning.timestamp.toISOString();
  await store.log.append(sessionId, [{ eventId: id, owner: 'executor-streamer', type, at, data: { warning } }]);
}

async function startWebhookDelivery(client: Client, sessionId: string): Promise<void> {
  try {
    await client.workflow.start(WEBHOOK_WORKFLOW, {
      workflowId: webhookWorkflowId(sessionId),
      taskQueue: ENGINE_QUEUE,
      args: [{ sessionId }],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

interface Finding {
  status: SessionStatus.FAILED | SessionStatus.CANCELLED;
  code: ErrorCode;
  message: string;
}

function failed(message: string, code: ErrorCode = 'SP002'): Finding {
  return { status: SessionStatus.FAILED, code, message };
}

async function findingFor(
  client: Client,
  row: CheckedRow,
  answersForMs: number,
): Promise<Finding | 'stuck' | undefined> {
  const { idleMs } = row;
  let description: WorkflowExecutionDescription;
  try {
    description = await client.workflow.getHandle(row.workflowId).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    if (Math.min(idleMs, answersForMs) < START_GRACE_MS) return undefined;
    return row.runId === null
      ? failed('The workflow of this session was never started. Start the session again.')
      : failed('Temporal has forgotten the workflow of this session: it was restored to an earlier time, or lost.');
  }
  const { name } = description.status;
  if (name === 'RUNNING') {
    if ((description.raw.pendingWorkflowTask?.attempt ?? 0) >= STUCK_ATTEMPTS) return 'stuck';
    if (row.runId === null || description.runId === row.runId || (await isContinuation(client, row, description)))
      return undefined;
    await client.workflow
      .getHandle(row.workflowId, description.runId)
      .terminate('Surefoot: a session can not be reset');
    return failed('The session was reset in Temporal, which could repeat what it has done; it was ended.');
  }
  if (idleMs < END_GRACE_MS) return undefined;
  if (name === 'CANCELLED')
    return { status: SessionStatus.CANCELLED, code: 'TL004', message: 'The session was cancelled in Temporal.' };
  if (name === 'TIMED_OUT') return failed('The workflow of this session ran into a time-out of Temporal.', 'SP003');
  return failed(`The workflow of this session was ended from outside (${name.toLowerCase()} in Temporal).`);
}

/** Returns whether the run continues the one in the row as new, and has not entered itself yet. */
async function isContinuation(
  client: Client,
  row: SessionRow,
  { runId, workflowId }: WorkflowExecutionDescription,
): Promise<boolean> {
  const history = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const started = history.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  return started?.continuedExecutionRunId === row.runId;
}
