import type { NumberedFrame } from '../../contracts/events/formats/format';
import type { FormatName, FrameOf } from '../../contracts/events/formats/formats';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { SessionStatus } from '../../contracts/sessions/session';

/** A frame of a page, with the place of its record in the log. */
export type PageItem = { seq: number } & FrameOf<FormatName>;

/** How a frame goes over the wire as an event of SSE: its data, and the name of the event where it has one. */
const SSE_EVENTS: { [F in FormatName]: (frame: FrameOf<F>, seq: number) => { data: object; event?: string } } = {
  // Without an event name `onmessage` of an EventSource gets every event, of unknown types too.
  stream: (event, seq) => ({ data: { ...event, seq } }),
  agent: (event) => ({ data: event }),
  // S3.A1.
  execution: ({ type, data }) => ({ data, event: type }),
  steps: ({ type, data }) => (type === 'step' ? { data } : { data, event: type }),
  'task-loop': (event) => ({ data: event }),
};

export function toSseFrame<F extends FormatName>(format: F, { seq, frame }: NumberedFrame<object>): Buffer {
  const { data, event } = SSE_EVENTS[format](frame as FrameOf<F>, seq);
  const name = event === undefined ? '' : `event: ${event}\n`;
  return Buffer.from(`id: ${seq}\n${name}data: ${JSON.stringify(data)}\n\n`);
}

export function toPageItem(format: FormatName, { seq, frame }: NumberedFrame<object>): PageItem {
  return (format === 'stream' ? { ...frame, seq } : { seq, ...frame }) as PageItem;
}

/** The first frame of a stream: the delay before a client reconnects. */
export const RETRY_FRAME = Buffer.from('retry: 2000\n\n');

/** The last frame of a stream that made way for another: its client comes back with its cursor, and not at once. */
export const COME_BACK_LATER_FRAME = Buffer.from('retry: 15000\n\n');

export const HEARTBEAT_FRAME = Buffer.from(': heartbeat\n\n');

/** Moves the cursor of a client over events that its filter leaves out; no event is dispatched for it. */
export function cursorFrame(seq: number): Buffer {
  return Buffer.from(`id: ${seq}\n\n`);
}

/** A transport frame, the last of a stream that failed; the client reconnects with its cursor. */
export function errorFrame(error: StandardError): Buffer {
  return Buffer.from(`event: stream-error\ndata: ${JSON.stringify(error)}\n\n`);
}

/** A transport frame without an id, so a client that reconnects sends the id of the terminal record. */
export function endFrame(seq: number, status: SessionStatus): Buffer {
  return Buffer.from(`event: end\ndata: ${JSON.stringify({ seq, status })}\n\n`);
}
