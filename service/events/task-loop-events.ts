import { TaskLoopEventType, type IEventPublisher, type TaskLoopCallbacks } from '../../contracts/events/task-loop';
import type { Sessions } from '../port/port';
import { followAs } from './follow-format';

/**
 * Reports the Task Loop events of a session, those after `after` and then live, to a publisher of the program, one after
 * the other (S1.R23). Resolves to the seq of the last event reported, where the next report goes on.
 */
export async function reportTaskLoop(
  sessions: Pick<Sessions, 'follow'>,
  sessionId: string,
  publisher: IEventPublisher,
  options: { after?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let last = options.after ?? 0;
  for await (const { seq, frame } of followAs(sessions, sessionId, 'task-loop', options)) {
    await publisher.publishEvent(frame);
    last = seq;
  }
  return last;
}

/** The deprecated callbacks over the publisher (S1.R33): each event that has one calls it, the others are dropped. */
// oxlint-disable-next-line typescript/no-deprecated -- S1.59 is declared deprecated and stays to be adapted.
export function publisherOf(callbacks: TaskLoopCallbacks): IEventPublisher {
  return {
    async publishEvent({ type, sessionId, stepIndex = 0, data }) {
      const { result, error, reasoning, command, progress } = data;
      if (type === TaskLoopEventType.STEP_STARTED) await callbacks.onStepStarted(sessionId, stepIndex);
      if (result !== undefined) await callbacks.onStepCompleted(sessionId, stepIndex, result);
      if (type === TaskLoopEventType.STEP_FAILED && error !== undefined)
        await callbacks.onStepFailed(sessionId, stepIndex, error);
      if (reasoning !== undefined)
        await callbacks.onAIReasoningUpdate(sessionId, stepIndex, reasoning.content, reasoning.confidence);
      if (command !== undefined)
        await callbacks.onCommandExecuted(sessionId, stepIndex, command.command, command.result);
      if (progress !== undefined) await callbacks.onProgressUpdate(sessionId, progress);
    },
  };
}
