import { randomUUID } from 'node:crypto';
import {
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { ErrorCode } from '../contracts/errors/error-codes';
import { toCancellation } from '../contracts/errors/cancellation';
import { standardError, type StandardError } from '../contracts/errors/standard-error';
import { StreamEventType } from '../contracts/events/stream-event';
import { SessionStatus } from '../contracts/sessions/session';
import type { Logger } from '../runtime/process';
import { closeSession, completeForgotten } from '../store/endings/close-session';
import { adviceAfter } from '../store/sessions/what-was-done';
import type { CheckedRow, SessionRow } from '../store/sessions/sessions';
import type { Store } from '../store/store';
import { startSweep, type Sweep } from '../runtime/sweep';
import { enterForgottenEnd } from './forgotten-sessions';
import { isResetOf } from './reset';
import { endForgottenEnd, isLeftBehind, remedyFor, startOver } from './left-behind';

const PAUSE_MS = 3000;
const CHECK_EVERY_MS = 5000;
const BATCH = 50;
/** A row is written before its workflow is started: so long it may have none, while Temporal answers. */
const START_GRACE_MS = 30_000;
/** A workflow that has just ended may still be writing its last events through a retry. */
const END_GRACE_MS = 3000;
/** States of a workflow that has reached its end, and could write it. */
const ENDS_ITSELF: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED'];

interface ReconcilerDeps {
  store: Store;
  client: Client;
  logger: Logger;
  /** Called where Temporal was put back to an earlier time. */
  onPutBack(): void;
}

interface Checking extends ReconcilerDeps {
  stuckSince: Map<string, number>;
}

/** Ends the row and log of sessions whose workflow was ended from outside (terminated, timed out). */
export function startReconciler(given: ReconcilerDeps): Sweep {
  const deps: Checking = { ...given, stuckSince: new Map() };
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

async function check(deps: Checking, row: CheckedRow, answersForMs: number): Promise<void> {
  const { store, logger } = deps;
  const finding = await findingFor(deps, row, answersForMs);
  if (finding === undefined) return;
  if (finding.kind === 'forgotten-end') return await completeForgotten(store, row);
  if (finding.kind === 'stuck') return await warnOfStuckWorkflow(deps, row.sessionId);
  if (finding.kind === 'left-behind') {
    logger.warn({ sessionId: row.sessionId, runId: finding.runId }, 'starting over a workflow that was left behind');
    return await startOver(deps, row, finding.runId);
  }
  logger.warn(
    { sessionId: row.sessionId, reason: finding.message },
    'ending a session whose workflow was ended from outside',
  );
  const error = finding.error ?? errorOfEnd(row.sessionId, finding);
  await closeSession(store, row.sessionId, {
    status: finding.status,
    error: finding.status === SessionStatus.CANCELLED ? toCancellation(error) : error,
  });
}

function errorOfEnd(sessionId: string, { code, message, status }: Ended): StandardError {
  const suggestedAction = 'Start the session again if it is still wanted.';
  const advice = status === SessionStatus.CANCELLED ? { suggestedAction } : {};
  return standardError({ id: randomUUID(), timestamp: new Date(), code, message, sessionId, ...advice });
}

/** A workflow whose tasks still fail after it was started over may have a fault that another version of the workers cures. */
async function warnOfStuckWorkflow({ store, logger }: ReconcilerDeps, sessionId: string): Promise<void> {
  const id = `${sessionId}/stuck-workflow`;
  const advice =
    adviceAfter(sessionId, await store.journal.ofSession(sessionId)) ??
    'It has done nothing yet that is not taken back.';
  const message =
    'Temporal can not continue the workflow of this session: its tasks fail one after another, also from its beginning. ' +
    `If no other version of the workers cures it within ten minutes, it is ended. ${advice}`;
  logger.warn({ sessionId }, message);
  const warning = { id, code: 'SP002', message, timestamp: new Date(), sessionId };
  const type = StreamEventType.WARNING_ISSUED;
  const at = warning.timestamp.toISOString();
  await store.log.append(sessionId, [{ eventId: id, owner: 'executor-streamer', type, at, data: { warning } }]);
}

/** Ended from outside, or by itself without a word in the log: so does its row. */
interface Ended {
  kind: 'ended';
  status: SessionStatus.FAILED | SessionStatus.CANCELLED;
  code: ErrorCode;
  message: string;
  /** What the workflow itself has failed with. */
  error?: StandardError;
}

type Finding =
  | Ended
  /** The run is to be started over. */
  | { kind: 'left-behind'; runId: string }
  /** Completed, and the database has forgotten it. */
  | { kind: 'forgotten-end' }
  /** Its tasks fail, also after it was started over. */
  | { kind: 'stuck' };

function failed(message: string, code: ErrorCode = 'SP002'): Finding {
  return { kind: 'ended', status: SessionStatus.FAILED, code, message };
}

async function findingFor(deps: Checking, row: CheckedRow, answersForMs: number): Promise<Finding | undefined> {
  const { client } = deps;
  const { idleMs } = row;
  let description: WorkflowExecutionDescription;
  try {
    description = await client.workflow.getHandle(row.workflowId).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    if (row.closed) {
      await deps.store.runProgress.answered(row.sessionId);
      return undefined;
    }
    if (Math.min(idleMs, answersForMs) < START_GRACE_MS) return undefined;
    return row.runId === null
      ? failed(
          'Temporal has no workflow of this session, which has done nothing yet: it was never started, or Temporal was restored to an earlier time. Start the session again.',
        )
      : failed('Temporal has forgotten the workflow of this session: it was restored to an earlier time, or lost.');
  }
  if (row.closed) {
    await endForgottenEnd(deps, row, description);
    return undefined;
  }
  const { name } = description.status;
  // A worker has died while it started the session over.
  if (row.runToStartOver === description.runId) return { kind: 'left-behind', runId: description.runId };
  if (name === 'RUNNING') {
    if (row.runId === null || description.runId === row.runId) return await findingForRunning(deps, row, description);
    if (await isContinuation(client, row, description)) return undefined;
    // It takes the session over by its next write.
    if (await isResetOf(client, description, row.runId)) return undefined;
    await client.workflow
      .getHandle(row.workflowId, description.runId)
      .terminate('Surefoot: another run has the session');
    return failed(
      'Temporal was put back to an earlier run of this session, which could repeat what it has done; it was ended.',
    );
  }
  if (idleMs < END_GRACE_MS) return undefined;
  const isOwnRun = (row.runId ?? description.runId) === description.runId;
  // It had written its end, which the database has forgotten.
  if (isOwnRun && ENDS_ITSELF.includes(name) && (await enterForgottenEnd(deps, row.workflowId, description.runId)))
    return undefined;
  if (name === 'CANCELLED')
    return {
      kind: 'ended',
      status: SessionStatus.CANCELLED,
      code: 'TL004',
      message: 'The session was cancelled in Temporal.',
    };
  if (name === 'COMPLETED' && isOwnRun) return { kind: 'forgotten-end' };
  if (name === 'FAILED' && isOwnRun) {
    const error = await failureOf(client, row.workflowId, description.runId);
    if (error !== undefined)
      return {
        kind: 'ended',
        status: SessionStatus.FAILED,
        code: error.code as ErrorCode,
        message: error.message,
        error,
      };
  }
  if (name === 'TIMED_OUT') return failed('The workflow of this session ran into a time-out of Temporal.', 'SP003');
  return failed(`The workflow of this session was ended from outside (${name.toLowerCase()} in Temporal).`);
}

async function findingForRunning(
  deps: Checking,
  row: CheckedRow,
  description: WorkflowExecutionDescription,
): Promise<Finding | undefined> {
  if (!(await isLeftBehind(deps, row, description))) return undefined;
  const remedy = remedyFor(row, description, deps.stuckSince);
  if (remedy === 'start-over') return { kind: 'left-behind', runId: description.runId };
  if (remedy === 'warn') return { kind: 'stuck' };
  await deps.client.workflow
    .getHandle(row.workflowId, description.runId)
    .terminate('Surefoot: the workflow was left behind by its history');
  return failed(
    'Temporal can not continue the workflow of this session: it does not fit its history, as after Temporal was put back to an ' +
      'earlier time, and could not be run again from its beginning either; it was ended.',
  );
}

/** The error with which a workflow ended itself, where it could not write it: its session could not be opened. */
async function failureOf(client: Client, workflowId: string, runId: string): Promise<StandardError | undefined> {
  const failure = await client.workflow
    .getHandle(workflowId, runId)
    .result()
    .then(
      () => undefined,
      (error: unknown) => (error instanceof WorkflowFailedError ? error.cause : undefined),
    );
  const error = failure instanceof ApplicationFailure ? (failure.details?.[0] as StandardError | undefined) : undefined;
  return error?.code === undefined ? undefined : error;
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
