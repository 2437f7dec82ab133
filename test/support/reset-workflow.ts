import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The history of the newest run. */
export async function eventsOf(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  return (await client.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
}

/**
 * `temporal workflow reset` to the end of a workflow task: the first behind an event that fits, or the last of all. Resolves to
 * the new run.
 */
export async function resetWorkflow(
  client: Client,
  workflowId: string,
  fits?: (event: HistoryEvent) => boolean,
): Promise<string> {
  const events = await eventsOf(client, workflowId);
  const from = fits === undefined ? 0 : Math.max(0, events.findIndex(fits));
  const ends = events.slice(from).filter((event) => event.workflowTaskCompletedEventAttributes);
  const point = fits === undefined ? ends.at(-1) : ends[0];
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: point!.eventId!,
    requestId: randomUUID(),
    reason: 'by a test',
  });
  return runId;
}

export const ofActivity =
  (name: string) =>
  (event: HistoryEvent): boolean =>
    event.activityTaskScheduledEventAttributes?.activityType?.name === name;
