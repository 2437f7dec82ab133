import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { CallingRun, AdoptRun } from '../activities/activity/adopt-run';
import { StreamEventType } from '../contracts/events/stream-event';
import type { NewRecord } from '../contracts/events/log';
import { StoreRefusal } from '../store/database/refusals';
import { sessionIdOf } from '../store/sessions/session-id';
import type { Store } from '../store/store';

interface Origin {
  /** The run of which Temporal took the history; itself where the workflow was not reset. */
  originalRunId: string;
  /** The first of all runs of the workflow. */
  firstRunId: string;
}

/** Whether Temporal has made the run by a reset of a workflow that the other run is of. */
export async function isResetOf(
  client: Client,
  { workflowId, runId }: CallingRun,
  otherRunId: string,
): Promise<boolean> {
  const [own, other] = await Promise.all([runId, otherRunId].map((id) => originOf(client, workflowId, id)));
  return own !== undefined && own.originalRunId !== runId && own.firstRunId === other?.firstRunId;
}

/** Undefined for a run that Temporal does not have. */
async function originOf(client: Client, workflowId: string, runId: string): Promise<Origin | undefined> {
  try {
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: 1,
    });
    const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    if (!started?.originalExecutionRunId || !started.firstExecutionRunId) return undefined;
    return { originalRunId: started.originalExecutionRunId, firstRunId: started.firstExecutionRunId };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (error as { code?: number }).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Of gRPC. */
const NOT_FOUND = 5;

/**
 * Lets the newest run of a workflow that a person has reset go on with its session. The journal, the replies of models and the
 * log have what the run before has done: it is returned, and not done again. Messages that were applied are delivered again.
 */
export function createAdoptRun({ store, client }: { store: Store; client: Client }): AdoptRun {
  return async (run) => {
    const { workflowId, runId } = run;
    const sessionId = sessionIdOf(workflowId);
    const row = await store.sessions.get(sessionId);
    if (row === null || row.closed || row.runId === null) return false;
    // Another activity of the run was faster.
    if (row.runId === runId) return true;
    const current = await client.workflow.getHandle(workflowId).describe();
    if (current.runId !== runId || !(await isResetOf(client, run, row.runId))) return false;
    const warning = resetWarning(sessionId, runId, row.currentStep);
    try {
      await store.log.append(sessionId, [warning], { guard: { runId: row.runId } });
    } catch (error) {
      // It has ended meanwhile, or another activity was faster.
      if (!(error instanceof StoreRefusal)) throw error;
    }
    await store.controlMessages.reopen(sessionId);
    // Last, so that a worker that dies before leaves the rest to the next attempt.
    return await store.runProgress.adopt(sessionId, row.runId, runId);
  };
}

function resetWarning(sessionId: string, runId: string, currentStep: number | null): NewRecord {
  const id = `${sessionId}/reset/${runId}`;
  const message =
    'The workflow of this session was reset in Temporal, and goes on in another run. What the journal has is returned and not ' +
    `done again, up to step ${(currentStep ?? 0) + 1}; its browser stays, or another one gets its last checkpoint.`;
  const timestamp = new Date();
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: timestamp.toISOString(),
    data: { warning: { id, code: 'SP002', message, timestamp, sessionId } },
  };
}
