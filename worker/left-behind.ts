import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { VERIFY_STORE_SIGNAL } from '../contracts/queues';
import type { NewRecord } from '../contracts/events/log';
import { StreamEventType } from '../contracts/events/stream-event';
import type { CheckedRow } from '../store/sessions/sessions';
import type { Store } from '../store/store';

const { ResetReapplyExcludeType } = temporal.api.enums.v1;
type History = temporal.api.history.v1.IHistory;

/** A task of a workflow that fails so often in a row does not succeed by being tried again. */
const STUCK_ATTEMPTS = 5;
/** What a run had begun before it was asked may still write for so long: that is no answer. */
const SETTLES_WITHIN_MS = 8000;
/** Longer than a session takes to write when it is asked. */
const ANSWERS_WITHIN_MS = 20_000;
/** A run that does not fit its history is started over so often; once is enough where Temporal was put back. */
const MOST_STARTS = 3;
/** What fails on behind that is a fault of the workflow: so long another version of the workers may cure it. */
const CURED_WITHIN_MS = 600_000;
/** The first task of a run ends among its first events. */
const FIRST_EVENTS = 200;

interface LeftBehindDeps {
  store: Store;
  client: Client;
  /** Called where a history is shorter than it was. */
  onPutBack(): void;
}

/**
 * Whether a running workflow was left behind by its history, as when Temporal was put back to an earlier time while workers ran
 * on with what they had in memory: its tasks fail one after another, or it swallows whatever Temporal has for it. Temporal's
 * history is then shorter than the database knows it to have been, which has all sessions asked to write, or the session does
 * not answer, or answers with an activity whose number shows that the history lacks one before it.
 */
export async function isLeftBehind(
  { store, client, onPutBack }: LeftBehindDeps,
  row: CheckedRow,
  { runId, historyLength, raw: { pendingWorkflowTask: task } }: WorkflowExecutionDescription,
): Promise<boolean> {
  if (isStuck(task)) return true;
  const isShorter = row.historyLength !== null && row.historyLength > historyLength;
  if (row.askedForMs === null) {
    if (isShorter) onPutBack();
    return false;
  }
  if (row.askedForMs < SETTLES_WITHIN_MS) {
    await store.runProgress.ask(row.sessionId);
    // One that has just ended takes no signal any more.
    const signalled = client.workflow.getHandle(row.workflowId, runId).signal(VERIFY_STORE_SIGNAL);
    await signalled.catch(() => {});
    return false;
  }
  if (row.historyLength !== null && !isShorter) {
    // What it waits for Temporal does not have, so that it would not come. A gap that starts do not cure is the run's own.
    if (
      row.startedOver < MOST_STARTS &&
      hasForgottenActivity(await client.workflow.getHandle(row.workflowId, runId).fetchHistory())
    )
      return true;
    await store.runProgress.answered(row.sessionId);
    return false;
  }
  // A task that waits for a worker has not reached the session yet.
  return !task && row.askedForMs > ANSWERS_WITHIN_MS;
}

/**
 * Whether a run has begun an activity that its history lacks. Its activities are numbered as it begins them, from 1: what it
 * asks for afterwards has a number with a gap before it.
 */
export function hasForgottenActivity({ events }: History): boolean {
  const numbers = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [Number(scheduled.activityId)] : [],
  );
  return Math.max(0, ...numbers) > numbers.length;
}

/**
 * Ends the workflow of a session that has ended, where Temporal was put back to a time before that, and it now waits for what
 * does not come again. One that does something gets its recorded outcomes, and ends as it did before.
 */
export async function endForgottenEnd(
  { store, client }: LeftBehindDeps,
  { sessionId, workflowId, askedForMs }: CheckedRow,
  { status, runId, raw }: WorkflowExecutionDescription,
): Promise<void> {
  const { pendingWorkflowTask: task, pendingActivities, pendingChildren } = raw;
  const isRunning = status.name === 'RUNNING';
  const isIdle = !task && !pendingActivities?.length && !pendingChildren?.length;
  if (isRunning && !isStuck(task) && !(isIdle && askedForMs !== null && askedForMs > ANSWERS_WITHIN_MS)) return;
  if (isRunning) await client.workflow.getHandle(workflowId, runId).terminate('Surefoot: the session has ended before');
  await store.runProgress.answered(sessionId);
}

type PendingTask = WorkflowExecutionDescription['raw']['pendingWorkflowTask'];

function isStuck(task: PendingTask): boolean {
  return (task?.attempt ?? 0) >= STUCK_ATTEMPTS;
}

/**
 * What is done about a run that was left behind: it is started over, unless that has not cured it. Then another version of the
 * workers may, for a while, before a person has to decide. `stuckSince`: when this process has first seen each such run, by its
 * monotonic clock.
 */
export function remedyFor(
  { startedOver, runToStartOver }: CheckedRow,
  { runId, raw: { pendingWorkflowTask: task } }: WorkflowExecutionDescription,
  stuckSince: Map<string, number>,
): 'start-over' | 'warn' | 'end' {
  if (startedOver < MOST_STARTS || runToStartOver === runId) return 'start-over';
  if (!isStuck(task)) return 'end';
  const now = performance.now();
  const since = stuckSince.get(runId) ?? now;
  stuckSince.set(runId, since);
  if (now - since < CURED_WITHIN_MS) return 'warn';
  stuckSince.delete(runId);
  return 'end';
}

/**
 * Has the session run again from the beginning of its run's history, in a run of its own. The journal, the replies of models and
 * the log have what was done: it is returned, and not done again. The run that was left behind is fenced off first, so that
 * one that still acts can't write. A worker that dies meanwhile leaves the rest to the next check.
 */
export async function startOver(
  { store, client }: LeftBehindDeps,
  { sessionId, workflowId, runToStartOver, startedOver }: CheckedRow,
  runId: string,
): Promise<void> {
  const workflowTaskFinishEventId = await endOfFirstTask(client, workflowId, runId);
  if (runToStartOver !== runId && !(await store.runProgress.fenceOff(sessionId, runId))) return;
  // A retry counts what it has begun already.
  const number = runToStartOver === runId ? startedOver : startedOver + 1;
  await store.log.append(sessionId, [warning(sessionId, number)]);
  await store.controlMessages.reopen(sessionId);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId,
    requestId: `start-over/${runId}`,
    reason: 'Surefoot: the workflow was left behind by its history, and runs again from the journal',
    // Messages are delivered again by their rows.
    resetReapplyExcludeTypes: [ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE],
  });
}

/** Of an earlier event Temporal takes no new run. */
async function endOfFirstTask(client: Client, workflowId: string, runId: string) {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: FIRST_EVENTS,
  });
  const end = history?.events?.find(
    (event) =>
      event.workflowTaskCompletedEventAttributes ||
      event.workflowTaskFailedEventAttributes ||
      event.workflowTaskTimedOutEventAttributes,
  );
  if (!end?.eventId)
    throw new Error(`Expected a workflow task that has ended among the first events of ${workflowId}.`);
  return end.eventId;
}

function warning(sessionId: string, number: number): NewRecord {
  const id = `${sessionId}/started-over/${number}`;
  const message =
    'The workflow of this session can not go on from its history in Temporal, as after Temporal was put back to an earlier ' +
    'time. It runs again from its beginning: what is in the journal is returned, and nothing is done again.';
  const timestamp = new Date();
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: timestamp.toISOString(),
    data: { warning: { id, code: 'SP002', message, timestamp, sessionId } },
  };
}
