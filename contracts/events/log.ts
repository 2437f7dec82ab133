import { z } from 'zod';
import { AGENT_EVENT_OWNERS, type AgentEventType } from '../agents/agent-event';
import type { ModuleId } from '../modules/module-id';
import { EVENTS } from './event-definitions';
import type { RecordFacts } from './record-facts';
import type { StreamEventData, StreamEventType } from './stream-event';

/** The log uses S1's name of an event, and S2's name of an event that S1 does not have (X.M). */
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
  /** For the other formats. */
  facts?: RecordFacts | undefined;
}

/** The id of a workflow's record: the `number`th of its type, and of its step, in the run that the history began with. */
export function recordIdOf(runId: string, type: RecordType, stepIndex: number | undefined, number: number): string {
  return `${runId}/${type}${stepIndex === undefined ? '' : `/${stepIndex}`}/${number}`;
}

/**
 * A record of the log: `seq` counts from 1 and is the reading order. It has no gaps, except where the database was put back to
 * an earlier time: the record after those that were lost says which (`lostBefore`).
 */
export interface LogRecord extends NewRecord {
  sessionId: string;
  seq: number;
}

/** The numbers of records that were lost, or left out because a reader may have seen them. */
export interface LostRecords {
  lostFrom: number;
  lostTo: number;
}

const LostRecordsSchema = z.object({ lostFrom: z.number(), lostTo: z.number() });

/** The records that were lost before this one; undefined where there are none. */
export function lostBefore({ data }: Pick<LogRecord, 'data'>): LostRecords | undefined {
  return LostRecordsSchema.safeParse(data.warning?.details).data;
}

/** True for the types that S1 has an event for. */
export function isStreamType(type: RecordType): type is StreamEventType {
  return Object.hasOwn(EVENTS, type);
}

/** Exactly one of these ends every log (S1.A30). */
export function isTerminal(type: RecordType): boolean {
  return isStreamType(type) && EVENTS[type].endsLog === true;
}

/** S1.R12: who may publish what. `runCommands` is Task Loop code: the Executor never publishes COMMAND_* itself. */
export function ownersOf(type: RecordType): readonly ModuleId[] {
  return isStreamType(type) ? EVENTS[type].owners : AGENT_EVENT_OWNERS;
}
