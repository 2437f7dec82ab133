import { isContractAction } from '../../contracts/commands/commands';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import { progressOf } from '../../contracts/sessions/progress';
import { toContractResult } from '../../contracts/events/formats/stream';
import {
  TaskLoopEventType,
  type IEventPublisher,
  type TaskLoopCallbacks,
  type TaskLoopEvent,
  type TaskLoopEventData,
} from '../../contracts/steps/task-loop';
import { taskLoopTypeOf } from '../../contracts/steps/task-loop-stream';
import type { Sessions } from '../port';

/**
 * What the Task Loop of a session has told, from `after` on and then live, to a publisher of the program (S1.R23): one
 * event after the other, each with its member whole (S1.R33). Resolves to the seq it came to: at the end of the session
 * its last one. Further actions than the five of S1.16 have no place in a Task Loop event and are passed over; nor have calls of tools that are no command.
 */
export async function reportTaskLoop(
  sessions: Sessions,
  sessionId: string,
  publisher: IEventPublisher,
  { after = 0, signal = new AbortController().signal }: { after?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let last = after;
  for await (const records of sessions.follow(sessionId, after, signal)) {
    for (const record of records) {
      const event = await toTaskLoopEvent(sessions, record);
      if (event !== undefined) await publisher.publishEvent(event);
      last = record.seq;
    }
  }
  return last;
}

async function toTaskLoopEvent(sessions: Sessions, record: LogRecord): Promise<TaskLoopEvent | undefined> {
  const type = isStreamType(record.type) ? taskLoopTypeOf(record.type) : undefined;
  if (type === undefined) return undefined;
  const data = await dataOf(sessions, type, record);
  if (data === undefined) return undefined;
  const { sessionId, stepIndex } = record;
  return {
    type,
    sessionId,
    ...(stepIndex === undefined ? {} : { stepIndex }),
    data,
    timestamp: new Date(record.at),
  };
}

/** S1.A41 read backwards; what the log holds by reference is filled in. */
async function dataOf(
  sessions: Sessions,
  type: TaskLoopEventType,
  { sessionId, stepIndex, data, at }: LogRecord,
): Promise<TaskLoopEventData | undefined> {
  const { reasoning, command, progress, step: _step, error, message: _message, details: _details, ...others } = data;
  if (type === TaskLoopEventType.STEP_STARTED) return {};
  if (type === TaskLoopEventType.STEP_FAILED) return { error };
  if (type === TaskLoopEventType.STEP_COMPLETED) {
    const { stepResults } = await sessions.get(sessionId, { dom: true });
    const result = stepResults.find((one) => one.stepIndex === stepIndex);
    return { result: result === undefined ? undefined : toContractResult(result) };
  }
  if (reasoning !== undefined) return { reasoning: { content: reasoning.thought, confidence: reasoning.confidence } };
  if (command !== undefined) {
    const { commandId, action, parameters } = command;
    if (!isContractAction(action)) return undefined;
    const { url, selector, text, variableName } = parameters;
    return {
      command: {
        command: {
          sessionId,
          commandId,
          action,
          parameters: { url, selector, text, variableName },
          timestamp: new Date(at),
        },
        result: await sessions.command(sessionId, commandId),
      },
    };
  }
  if (type === TaskLoopEventType.COMMAND_EXECUTED) return undefined;
  if (progress !== undefined) {
    const { session, stepResults } = await sessions.get(sessionId);
    const steps = (session.metadata?.['steps'] ?? []) as string[];
    const finishedDurations = stepResults
      .filter((result) => result.success && result.stepIndex < progress.completedSteps)
      .map((result) => result.duration);
    const { currentStepIndex } = progress;
    const whole = progressOf({ sessionId, steps, finishedDurations, currentStepIndex, lastActivity: new Date(at) });
    return { progress: { ...whole, ...progress } };
  }
  const { investigation, investigationTool, elementDiscovery, workingMemory } = others;
  return {
    investigation,
    investigationTool,
    elementDiscovery,
    workingMemory,
    ...(error === undefined ? {} : { error }),
  };
}

/** The callbacks of before, over the publisher (S1.R33): each event that has one calls it, the others are dropped. */
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
