import { createEncoder, type EventFormat, type NumberedFrame } from '../../contracts/events/formats/format';
import { FORMATS, type FormatName, type FrameOf } from '../../contracts/events/formats/formats';
import { lostBefore, type LogRecord } from '../../contracts/events/log';
import { ClientError, type Sessions } from '../port/port';

/** A format that is a fold needs the whole log: throws where records after `after` were removed. What a database has lost is lost to all. */
export function assertGapless(records: readonly LogRecord[], after: number): void {
  const [first] = records;
  if (first === undefined || first.seq === after + 1) return;
  const lost = lostBefore(first);
  if (lost !== undefined && after + 1 >= lost.lostFrom) return;
  throw logCutOff(first.sessionId, first.seq);
}

export function logCutOff(sessionId: string, firstSeq: number): ClientError {
  return new ClientError(
    'gone',
    'CM001',
    `Of session ${sessionId} the events before ${firstSeq} are gone (streamConfig.maxHistorySize), and this format needs all events from the first on; format=stream has those that are left.`,
    { firstSeq },
  );
}

/**
 * Follows the events of a session in one of the formats, in this process: those after `after`, then live, to the end of
 * its log. The API encodes the log in the same way, so a seq of the one resumes the other.
 */
export async function* followAs<F extends FormatName>(
  sessions: Pick<Sessions, 'follow'>,
  sessionId: string,
  name: F,
  { after = 0, signal = new AbortController().signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<NumberedFrame<FrameOf<F>>, void> {
  const { from, framesOf } = createFrameReader(name, after);
  for await (const records of sessions.follow(sessionId, from, signal)) yield* framesOf(records);
}

/** Makes the frames after `after` of a log that is followed after `from`: a format that is a fold needs all of it. */
export function createFrameReader<F extends FormatName>(name: F, after: number) {
  const format = FORMATS[name] as EventFormat<unknown, FrameOf<F>>;
  const encoder = createEncoder(format, after);
  return {
    from: encoder.seq,
    *framesOf(records: readonly LogRecord[]): Generator<NumberedFrame<FrameOf<F>>, void> {
      if (format.isStateless !== true) assertGapless(records, encoder.seq);
      for (const record of records) {
        const frame = encoder.encode(record);
        if (frame !== undefined && record.seq > after) yield { seq: record.seq, frame };
      }
    },
  };
}
