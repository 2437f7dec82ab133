import { isContractAction } from '../../commands/commands';
import { TaskLoopEventType, type TaskLoopEvent, type TaskLoopEventData } from '../task-loop';
import type { CommandResponse } from '../../commands/commands';
import { isStreamType, type LogRecord } from '../log';
import { StreamEventType } from '../stream-event';
import type { EventFormat } from './format';
import type { ExecutorCommand } from './s1';

export interface TaskLoopState {
  /** The step that runs, with what its result is made of. */
  step: {
    startedAt: number;
    commands: { command: ExecutorCommand; result: CommandResponse }[];
    thought: string;
    screenshotId: string;
    url: string;
  };
  /** Durations of the steps that were completed. */
  durations: readonly number[];
  /** The last screenshot of each command. */
  screenshots: Readonly<Record<string, string>>;
}

const T = StreamEventType;
const noStep = (startedAt = 0): TaskLoopState['step'] => ({
  startedAt,
  commands: [],
  thought: '',
  screenshotId: '',
  url: 'about:blank',
});

/**
 * The `task-loop` format: the events of S1.55 (S1.A5 and S1.A41 read backwards), each with its member (S1.R33). The log has
 * no DOM, so `dom` is empty (S1.A8). Events that go straight to the stream, actions beyond the five of S1.16 and calls of
 * tools that are no commands have no frame.
 */
export const taskLoopFormat: EventFormat<TaskLoopState, TaskLoopEvent> = {
  start: { step: noStep(), durations: [], screenshots: {} },
  step(before, record) {
    const state = next(before, record);
    const type = isStreamType(record.type) ? taskLoopTypeOf(record.type) : undefined;
    const data = type === undefined ? undefined : toData(state, type, record);
    if (type === undefined || data === undefined) return [state, undefined];
    const { sessionId, stepIndex, at } = record;
    const place = stepIndex === undefined ? {} : { stepIndex };
    return [state, { type, sessionId, ...place, data, timestamp: new Date(at) }];
  },
};

/** S1.A5 read backwards; undefined for what goes straight to the stream. */
export function taskLoopTypeOf(type: StreamEventType): TaskLoopEventType | undefined {
  if (type === T.AI_REASONING) return TaskLoopEventType.AI_REASONING_UPDATE;
  if (type === T.WORKFLOW_PROGRESS) return TaskLoopEventType.PROGRESS_UPDATE;
  if (type === T.COMMAND_COMPLETED || type === T.COMMAND_FAILED) return TaskLoopEventType.COMMAND_EXECUTED;
  return Object.values(TaskLoopEventType).find((known) => String(known) === String(type));
}

function next(before: TaskLoopState, record: LogRecord): TaskLoopState {
  const { type, data, at } = record;
  const { step, durations } = before;
  if (type === T.STEP_STARTED) return { ...before, step: noStep(Date.parse(at)) };
  if (type === T.STEP_COMPLETED) return { ...before, durations: [...durations, Date.parse(at) - step.startedAt] };
  if (data.reasoning !== undefined) return { ...before, step: { ...step, thought: data.reasoning.thought } };
  if (data.page !== undefined) return { ...before, step: { ...step, url: data.page.url } };
  if (data.screenshot !== undefined) {
    const { id, commandId } = data.screenshot;
    const screenshots = commandId === undefined ? before.screenshots : { ...before.screenshots, [commandId]: id };
    return { ...before, screenshots, step: { ...step, screenshotId: id } };
  }
  const executed = toExecuted(before, record);
  return executed === undefined ? before : { ...before, step: { ...step, commands: [...step.commands, executed] } };
}

function toExecuted(
  { screenshots }: TaskLoopState,
  { type, sessionId, at, data: { command, error } }: LogRecord,
): { command: ExecutorCommand; result: CommandResponse } | undefined {
  if (command === undefined || (type !== T.COMMAND_COMPLETED && type !== T.COMMAND_FAILED)) return undefined;
  const { commandId, action, parameters, duration = 0 } = command;
  if (!isContractAction(action)) return undefined;
  const { url, selector, text, variableName } = parameters;
  return {
    command: {
      sessionId,
      commandId,
      action,
      parameters: { url, selector, text, variableName },
      timestamp: new Date(at),
    },
    result: {
      success: type === T.COMMAND_COMPLETED,
      commandId,
      dom: '',
      screenshotId: screenshots[commandId] ?? '',
      duration,
      ...(error === undefined ? {} : { error }),
    },
  };
}

/** The member of the event (S1.R33); undefined where the Task Loop has no event for the record. */
function toData(state: TaskLoopState, type: TaskLoopEventType, record: LogRecord): TaskLoopEventData | undefined {
  const { data, at } = record;
  const { error, investigation, investigationTool, elementDiscovery, workingMemory } = data;
  switch (type) {
    case TaskLoopEventType.STEP_STARTED:
      return {};
    case TaskLoopEventType.STEP_FAILED:
      return { error };
    case TaskLoopEventType.STEP_COMPLETED:
      return { result: toResult(state, record) };
    case TaskLoopEventType.AI_REASONING_UPDATE:
      return (
        data.reasoning && { reasoning: { content: data.reasoning.thought, confidence: data.reasoning.confidence } }
      );
    case TaskLoopEventType.COMMAND_EXECUTED: {
      const executed = toExecuted(state, record);
      return executed && { command: executed };
    }
    case TaskLoopEventType.PROGRESS_UPDATE: {
      const { durations } = state;
      const spentMs = durations.reduce((sum, duration) => sum + duration, 0);
      const averageStepDuration = durations.length === 0 ? 0 : Math.round(spentMs / durations.length);
      const currentStepName = String(data.details?.['currentStepName'] ?? '');
      return (
        data.progress && {
          progress: { ...data.progress, currentStepName, averageStepDuration, lastActivity: new Date(at) },
        }
      );
    }
    default:
      return { investigation, investigationTool, elementDiscovery, workingMemory, ...(error && { error }) };
  }
}

function toResult({ step, durations }: TaskLoopState, { stepIndex = 0 }: LogRecord): TaskLoopEventData['result'] {
  const { commands, thought, screenshotId, url } = step;
  return {
    stepIndex,
    success: true,
    executedCommands: commands.map(({ command }) => command),
    commandResults: commands.map(({ result }) => result),
    aiReasoning: thought,
    duration: durations.at(-1) ?? 0,
    finalPageState: { dom: '', screenshotId, url },
  };
}
