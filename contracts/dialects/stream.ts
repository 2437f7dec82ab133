import { isContractAction } from '../commands';
import { type StreamEvent } from '../events';
import { type LogRecord } from '../log';

/** Which actions a reader of the stream knows: all of the engine's, or only the five of S1.16 (`actions=s1`). */
export type KnownActions = 'all' | 's1';

/**
 * The `stream` dialect (S1.30): one event per record, so the event's `seq` resumes exactly and a prefix of the log
 * gives a prefix of the stream.
 */
export function toStreamEvent(record: LogRecord, known: KnownActions = 'all'): StreamEvent {
  return {
    id: record.eventId,
    type: record.type,
    timestamp: new Date(record.at),
    sessionId: record.sessionId,
    ...(record.stepIndex === undefined ? {} : { stepIndex: record.stepIndex }),
    data: known === 's1' ? withContractActions(record.data) : record.data,
    metadata: { seq: record.seq, owner: record.owner, ...(record.turn === undefined ? {} : { turn: record.turn }) },
  };
}

/** A further action has no place in S1's closed set: its event tells it as text. */
function withContractActions(data: StreamEvent['data']): StreamEvent['data'] {
  if (data.command === undefined || isContractAction(data.command.action)) return data;
  const { command, ...rest } = data;
  return { ...rest, message: `${command.action} ${command.status}`, details: { ...command } };
}
