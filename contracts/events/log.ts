import type { AgentEventType } from './agent-event';
import { StreamEventType, type StreamEventData } from './stream-event';
import type { RecordFacts } from './record-facts';

/** The module that publishes an event (ids of S1.A16). */
export type ModuleId = 'step-processor' | 'task-loop' | 'ai-integration' | 'executor' | 'executor-streamer';

/** What S1 has an event for stands in the log under S1's name; of the rest, what S2 has one for under that of S2 (X.M). */
export type RecordType = StreamEventType | AgentEventType;

/**
 * A record on its way to the log. `eventId` is unique in its session and the same on every retry, so that a repeated
 * append changes nothing: workflow records `<run id>/<n>`, command records `<command id>/<kind>`.
 */
export interface NewRecord {
  eventId: string;
  owner: ModuleId;
  type: RecordType;
  /** ISO-8601 UTC. */
  at: string;
  attempt?: number | undefined;
  stepIndex?: number | undefined;
  /** Number of the model call within its step, from 0. */
  turn?: number | undefined;
  /** Empty where the type is none of S1's. */
  data: StreamEventData;
  /** For readers of the other dialects. */
  facts?: RecordFacts | undefined;
}

/** A record of the log: `seq` counts from 1 without gaps and is the reading order. */
export interface LogRecord extends NewRecord {
  sessionId: string;
  seq: number;
}

const S1_TYPES = new Set<RecordType>(Object.values(StreamEventType));

/** True for the types that S1 has an event for. */
export function isStreamType(type: RecordType): type is StreamEventType {
  return S1_TYPES.has(type);
}

const { WORKFLOW_COMPLETED, WORKFLOW_FAILED } = StreamEventType;

/** Exactly one of these ends every log (S1.A30). */
export function isTerminal(type: RecordType): boolean {
  return type === WORKFLOW_COMPLETED || type === WORKFLOW_FAILED;
}

/** S1.R12: who may publish what. `runCommands` is Task Loop code: the Executor never publishes COMMAND_* itself. */
export function ownersOf(type: RecordType): readonly ModuleId[] {
  if (!isStreamType(type)) return ['ai-integration', 'task-loop'];
  if (/^(WORKFLOW_|STEP_)/.test(type)) return ['step-processor'];
  if (type === StreamEventType.WORKING_MEMORY_UPDATED || /^(INVESTIGATION_|ELEMENT_|COMMAND_)/.test(type))
    return ['task-loop'];
  if (type.startsWith('AI_')) return ['ai-integration', 'task-loop'];
  if (/^(SCREENSHOT_CAPTURED|VARIABLE_UPDATED|PAGE_NAVIGATED)$/.test(type)) return ['executor'];
  return ['executor-streamer'];
}
