import { createHash } from 'node:crypto';
import type { NewRecord } from '../../contracts/events/log';
import type { IEventPublisher, TaskLoopEvent } from '../../contracts/steps/task-loop';
import { TaskLoopEventSchema } from '../../contracts/steps/task-loop';
import { taskLoopProblems, toStreamPayload } from '../../contracts/steps/task-loop-stream';
import { issuesOf } from '../../contracts/sessions/start-request';
import { StoreRefusal } from '../../store/database/refusals';
import type { Store } from '../../store/store';
import { outageReason } from '../../store/database/outage';
import { ClientError } from '../port';
import { requireSessionRow } from '../sessions/session-row';
import { invalid } from '../sessions/start';

/**
 * The Step Processor as the Task Loop knows it (S1.53): what is published is checked (S1.R33), translated (S1.A5) and
 * stands in the session's log when the promise resolves. The same event published again changes nothing.
 */
export function createEventPublisher(store: Store): IEventPublisher {
  return {
    async publishEvent(given) {
      const parsed = TaskLoopEventSchema.safeParse(given);
      if (!parsed.success) throw invalid('The event can not be published', issuesOf(parsed.error));
      const event = parsed.data;
      const problems = taskLoopProblems(event).map((message) => ({ path: 'data', message }));
      if (problems.length > 0) throw invalid('The event can not be published', problems);
      try {
        const { sessionId, plan } = await requireSessionRow(store, event.sessionId);
        await store.log.append(sessionId, [toRecord(event, plan.steps[event.stepIndex ?? -1]?.instruction ?? '')]);
      } catch (error) {
        throw toPublishError(event, error);
      }
    },
  };
}

function toRecord(event: TaskLoopEvent, stepContent: string): NewRecord {
  const content = createHash('sha256').update(JSON.stringify(event)).digest('hex').slice(0, 24);
  return {
    eventId: `task-loop/${content}`,
    ...toStreamPayload(event, stepContent),
    at: event.timestamp.toISOString(),
    ...(event.stepIndex === undefined ? {} : { stepIndex: event.stepIndex }),
  };
}

/** ES003: the event is not in the log. */
function toPublishError({ type, sessionId }: TaskLoopEvent, error: unknown): unknown {
  if (error instanceof ClientError) return error;
  const told = (why: string): string => `${type} of session ${sessionId} could not be published: ${why}`;
  if (error instanceof StoreRefusal)
    return new ClientError('wrong-state', 'ES003', told(error.message), { state: error.reason, cause: error });
  const reason = outageReason(error);
  if (reason === undefined) return error;
  return new ClientError('unavailable', 'ES003', told(`the database does not answer (${reason}).`), { cause: error });
}
