import type { FormatName, FrameOf } from '../../contracts/events/formats/formats';
import { toStreamEvent, type KnownActions } from '../../contracts/events/formats/stream';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { StreamEvent } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { SessionStatus } from '../../contracts/sessions/session';

export type SequencedEvent = StreamEvent & { seq: number };

export function toSequencedEvent(record: LogRecord, known: KnownActions): SequencedEvent | undefined {
  const event = toStreamEvent(record, known);
  return event === undefined ? undefined : { ...event, seq: record.seq };
}

/** No event name, so that `onmessage` of an EventSource sees every event, of unknown types too. */
export function toFrame(record: LogRecord, known: KnownActions): Buffer {
  const event = toSequencedEvent(record, known);
  return event === undefined ? cursorFrame(record.seq) : dataFrame(record.seq, event);
}

/** The formats that are told from the first event on. */
export type FoldedFormat = Exclude<FormatName, 'stream'>;

/** How a frame of each format goes over the wire: S3's have their type as event name, and only its data (S3.A1). */
const TO_FRAME: { [F in FoldedFormat]: (seq: number, frame: FrameOf<F>) => Buffer } = {
  agent: (seq, event) => dataFrame(seq, event),
  execution: (seq, { type, data }) => dataFrame(seq, data, type),
  steps: (seq, { type, data }) => dataFrame(seq, data, type === 'step' ? undefined : type),
};

export function toFoldedFrame<F extends FoldedFormat>(format: F, seq: number, frame: FrameOf<F>): Buffer {
  return TO_FRAME[format](seq, frame);
}

function dataFrame(seq: number, data: object, event?: string): Buffer {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return Buffer.from(`id: ${seq}\n${name}data: ${JSON.stringify(data)}\n\n`);
}

/** First of every stream: how long a client waits before it comes back. */
export const RETRY_FRAME = Buffer.from('retry: 2000\n\n');

export const HEARTBEAT_FRAME = Buffer.from(': heartbeat\n\n');

/** Moves the cursor of a client over events that its filter leaves out; no event is dispatched for it. */
export function cursorFrame(seq: number): Buffer {
  return Buffer.from(`id: ${seq}\n\n`);
}

/** A transport frame, the last of a stream that could not go on: the client comes back with its cursor. */
export function errorFrame(error: StandardError): Buffer {
  return Buffer.from(`event: stream-error\ndata: ${JSON.stringify(error)}\n\n`);
}

/** A transport frame, no event of the log; it has no id, so a client that comes back still names the terminal record. */
export function endFrame(seq: number, status: SessionStatus): Buffer {
  return Buffer.from(`event: end\ndata: ${JSON.stringify({ seq, status })}\n\n`);
}
