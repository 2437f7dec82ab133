import { StreamEventType, type StreamEventData } from './events';

/** The module that publishes an event (ids of S1.A16). */
export type ModuleId = 'step-processor' | 'task-loop' | 'ai-integration' | 'executor' | 'executor-streamer';

/**
 * A record on its way to the log. `eventId` is unique in its session and the same on every retry, so that a repeated
 * append changes nothing: workflow records `<run id>/<n>`, command records `<command id>/<kind>`.
 */
export interface NewRecord {
  eventId: string;
  owner: ModuleId;
  type: StreamEventType;
  /** ISO-8601 UTC. */
  at: string;
  attempt?: number | undefined;
  stepIndex?: number | undefined;
  /** Number of the model call within its step, from 0. */
  turn?: number | undefined;
  data: StreamEventData;
}

/** A record of the log: `seq` counts from 1 without gaps and is the reading order. */
export interface LogRecord extends NewRecord {
  sessionId: string;
  seq: number;
}

const { WORKFLOW_COMPLETED, WORKFLOW_FAILED } = StreamEventType;

/** Exactly one of these ends every log (S1.A30). */
export function isTerminal(type: StreamEventType): boolean {
  return type === WORKFLOW_COMPLETED || type === WORKFLOW_FAILED;
}

/** S1.R12: who may publish what. `runCommands` is Task Loop code: the Executor never publishes COMMAND_* itself. */
export function ownersOf(type: StreamEventType): readonly ModuleId[] {
  if (/^(WORKFLOW_|STEP_)/.test(type)) return ['step-processor'];
  if (type === StreamEventType.WORKING_MEMORY_UPDATED || /^(INVESTIGATION_|ELEMENT_|COMMAND_)/.test(type))
    return ['task-loop'];
  if (type.startsWith('AI_')) return ['ai-integration', 'task-loop'];
  if (/^(SCREENSHOT_CAPTURED|VARIABLE_UPDATED|PAGE_NAVIGATED)$/.test(type)) return ['executor'];
  return ['executor-streamer'];
}
