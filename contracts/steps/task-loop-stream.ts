import { CommandStatus } from '../commands/commands';
import { StreamEventType } from '../events/stream-event';
import type { ModuleId } from '../events/event-definition';
import { ownersOf } from '../events/log';
import { StepStatus } from './step-result';
import { TaskLoopEventType, type TaskLoopEvent, type TaskLoopEventData } from './task-loop';
import type * as s1 from '../events/formats/s1';

type Member = keyof TaskLoopEventData;

/** S1.R33: the member that an event of the Task Loop has; STEP_STARTED has none. */
export const TASK_LOOP_MEMBERS: Readonly<Record<TaskLoopEventType, Member | undefined>> = {
  STEP_STARTED: undefined,
  STEP_COMPLETED: 'result',
  STEP_FAILED: 'error',
  AI_REASONING_UPDATE: 'reasoning',
  COMMAND_EXECUTED: 'command',
  PROGRESS_UPDATE: 'progress',
  INVESTIGATION_STARTED: 'investigation',
  INVESTIGATION_PHASE_STARTED: 'investigation',
  INVESTIGATION_PHASE_COMPLETED: 'investigation',
  INVESTIGATION_TOOL_STARTED: 'investigationTool',
  INVESTIGATION_TOOL_COMPLETED: 'investigationTool',
  INVESTIGATION_COMPLETED: 'investigation',
  INVESTIGATION_FAILED: 'investigation',
  ELEMENT_DISCOVERED: 'elementDiscovery',
  WORKING_MEMORY_UPDATED: 'workingMemory',
};

/** What of an event does not fit its type (S1.R33, S1.A28); empty for a good one. A failed investigation may tell why (S1.A6). */
export function taskLoopProblems({ type, sessionId, stepIndex, data }: TaskLoopEvent): string[] {
  const wanted = TASK_LOOP_MEMBERS[type];
  const allowed: readonly (Member | undefined)[] =
    type === TaskLoopEventType.INVESTIGATION_FAILED ? [wanted, 'error'] : [wanted];
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return [
    ...(wanted === undefined || data[wanted] !== undefined ? [] : [`${type} has no ${wanted}`]),
    ...given.filter(([name]) => !allowed.includes(name as Member)).map(([name]) => `${type} has a ${name}`),
    ...(type.startsWith('STEP_') && stepIndex === undefined ? [`${type} has no stepIndex`] : []),
    ...(data.progress !== undefined && data.progress.sessionId !== sessionId
      ? [`${type} has the progress of another session`]
      : []),
  ];
}

/** S1.A5: which event of the stream an event of the Task Loop becomes. */
export function streamTypeOf({ type, data }: Pick<TaskLoopEvent, 'type' | 'data'>): StreamEventType {
  if (type === TaskLoopEventType.AI_REASONING_UPDATE) return StreamEventType.AI_REASONING;
  if (type === TaskLoopEventType.PROGRESS_UPDATE) return StreamEventType.WORKFLOW_PROGRESS;
  if (type !== TaskLoopEventType.COMMAND_EXECUTED) return StreamEventType[type];
  return data.command?.result.success === true ? StreamEventType.COMMAND_COMPLETED : StreamEventType.COMMAND_FAILED;
}

/** The event as the stream has it (S1.A5, S1.A41). The Step Processor brings the text of the step. */
export function toStreamPayload(
  event: TaskLoopEvent,
  stepContent: string,
): { type: StreamEventType; owner: ModuleId; data: s1.StreamEventData } {
  const type = streamTypeOf(event);
  const owners = ownersOf(type);
  return {
    type,
    owner: owners.includes('task-loop') ? 'task-loop' : owners[0]!,
    data: toStreamData(event, stepContent),
  };
}

const STEP_STATUS: Partial<Record<TaskLoopEventType, StepStatus>> = {
  STEP_STARTED: StepStatus.IN_PROGRESS,
  STEP_COMPLETED: StepStatus.COMPLETED,
  STEP_FAILED: StepStatus.FAILED,
};

function toStreamData({ type, stepIndex = 0, data }: TaskLoopEvent, stepContent: string): s1.StreamEventData {
  const { result, error, reasoning, command, progress, ...investigating } = data;
  const status = STEP_STATUS[type];
  if (status !== undefined) {
    const step = { stepIndex, stepContent, status, ...(result === undefined ? {} : { result }) };
    return { step, ...(error === undefined ? {} : { error }) };
  }
  if (reasoning !== undefined) {
    const { content: thought, confidence } = reasoning;
    return { reasoning: { thought, confidence, reasoningType: 'analysis' } };
  }
  if (command !== undefined) return toStreamCommand(command);
  if (progress !== undefined) {
    const { currentStepName: _name, averageStepDuration: _average, lastActivity: _at, ...told } = progress;
    return { progress: told };
  }
  return { ...investigating, ...(error === undefined ? {} : { error }) };
}

function toStreamCommand({ command, result }: NonNullable<TaskLoopEventData['command']>): s1.StreamEventData {
  const { commandId, action, parameters } = command;
  const { success, duration, error } = result;
  return {
    command: {
      commandId,
      action,
      parameters,
      status: success ? CommandStatus.COMPLETED : CommandStatus.FAILED,
      duration,
      result,
    },
    ...(success || error === undefined ? {} : { error }),
  };
}

const { COMMAND_COMPLETED, COMMAND_FAILED, AI_REASONING, WORKFLOW_PROGRESS } = StreamEventType;

/** S1.A5 read backwards; undefined for what goes straight to the stream (COMMAND_STARTED, AI_RESPONSE_RECEIVED, SESSION_STATUS …). */
export function taskLoopTypeOf(type: StreamEventType): TaskLoopEventType | undefined {
  if (type === AI_REASONING) return TaskLoopEventType.AI_REASONING_UPDATE;
  if (type === WORKFLOW_PROGRESS) return TaskLoopEventType.PROGRESS_UPDATE;
  if (type === COMMAND_COMPLETED || type === COMMAND_FAILED) return TaskLoopEventType.COMMAND_EXECUTED;
  return Object.values(TaskLoopEventType).find((known) => String(known) === String(type));
}
