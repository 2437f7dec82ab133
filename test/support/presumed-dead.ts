import type { WholeStack } from './whole-stack';

const OF_COMMANDS = /^(runCommands|decideAndRun|lookAtSite|explore)$/;

/**
 * How many attempts at commands of this session Temporal has given up by a timeout. Where a test kills nobody, it took a
 * worker for dead that lives, and that a busy machine has stalled for longer than a heartbeat: then commands may have had
 * so many more attempts, and the lease so many more epochs. Asked when the session has ended, as the server writes down
 * the attempts of an activity with its end.
 */
export async function takenForDead({ engineTemporal }: WholeStack, sessionId: string): Promise<number> {
  let count = 0;
  let runId: string | undefined;
  do {
    const { events } = await engineTemporal.workflow.getHandle(sessionId, runId).fetchHistory();
    const ours = new Set<string>();
    for (const event of events ?? []) {
      const { activityType } = event.activityTaskScheduledEventAttributes ?? {};
      if (OF_COMMANDS.test(activityType?.name ?? '')) ours.add(String(event.eventId));
      const { scheduledEventId, attempt, lastFailure } = event.activityTaskStartedEventAttributes ?? {};
      const isRetried = lastFailure?.timeoutFailureInfo !== undefined && lastFailure?.timeoutFailureInfo !== null;
      if (isRetried && ours.has(String(scheduledEventId))) count += (attempt ?? 1) - 1;
      const timedOut = event.activityTaskTimedOutEventAttributes;
      if (timedOut && ours.has(String(timedOut.scheduledEventId))) count += 1;
    }
    const begun = events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = begun?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return count;
}
