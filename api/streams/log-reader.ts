import { assertGapless } from '../../service/events/follow-format';
import { ClientError, type Sessions } from '../../service/port/port';
import { createEncoder, type EventFormat, type NumberedFrame } from '../../contracts/events/formats/format';
import { createStreamFormat, FORMATS, type FormatName } from '../../contracts/events/formats/formats';
import type { KnownActions } from '../../contracts/events/formats/stream';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { passes, type StreamFilter } from '../../contracts/events/stream-filter';

/** Records that one read of the store takes where the whole log is needed. */
export const MAX_READ = 500;

/** What a viewer asks for: a format, the actions it knows, and which events; only stateless formats take a filter. */
export interface StreamSelection {
  format: FormatName;
  actions: KnownActions;
  filter: StreamFilter;
}

/** Reads the log of one session in one format. */
export interface LogReader {
  /** How far the log was read. */
  readonly seq: number;
  /** The terminal record was read. */
  readonly isAtEnd: boolean;
  /** Takes a record that comes after those that were read; undefined where it has no frame in this selection. */
  encode(record: LogRecord): NumberedFrame<object> | undefined;
  /** Reads the next records of the store, `limit` at most, and returns their frames. `tip` is a seq that the log has. */
  readMore(limit: number, tip: number): Promise<NumberedFrame<object>[]>;
}

export function formatOf({ format, actions }: StreamSelection): EventFormat<unknown, object> {
  return format === 'stream' ? createStreamFormat(actions) : FORMATS[format];
}

export function isSelected({ format, filter }: StreamSelection, record: LogRecord): boolean {
  return FORMATS[format].isStateless !== true || passes(filter, record);
}

/** A reader of a stateless format starts after `after`, of any other format before the first record. */
export function createLogReader(
  sessions: Pick<Sessions, 'events'>,
  sessionId: string,
  selection: StreamSelection,
  after: number,
): LogReader {
  const format = formatOf(selection);
  const encoder = createEncoder(format, after);
  let { seq } = encoder;
  let isAtEnd = false;
  const encode: LogReader['encode'] = (record) => {
    seq = record.seq;
    isAtEnd = isTerminal(record.type);
    if (!isSelected(selection, record)) return undefined;
    const frame = encoder.encode(record);
    return frame === undefined ? undefined : { seq, frame };
  };
  return {
    get seq() {
      return seq;
    },
    get isAtEnd() {
      return isAtEnd;
    },
    encode,
    async readMore(limit, tip) {
      const records = await sessions.events(sessionId, seq, limit, selection.filter);
      if (format.isStateless !== true) {
        if (records.length === 0) throw endsEarly(sessionId, seq);
        assertGapless(records, seq);
      }
      const frames = records.flatMap((record) => encode(record) ?? []);
      // Fewer than were asked for: no other record up to the tip passes the filter.
      if (records.length < limit) seq = Math.max(seq, tip);
      return frames;
    },
  };
}

function endsEarly(sessionId: string, seq: number): ClientError {
  return new ClientError('gone', 'CM001', `The log of session ${sessionId} does not go on after ${seq}.`);
}
