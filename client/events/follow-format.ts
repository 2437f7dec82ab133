import { createEncoder, type EventFormat, type NumberedFrame } from '../../contracts/events/formats/format';
import { FORMATS, type FormatName, type FrameOf } from '../../contracts/events/formats/formats';
import type { LogRecord } from '../../contracts/events/log';
import { ClientError, type Sessions } from '../port';

type Log = Pick<Sessions, 'events' | 'follow'>;

const PAGE = 500;

/** The records of a session that lie in the log now, from the first on, in pages. */
export async function* readLogPages(
  sessions: Pick<Sessions, 'events'>,
  sessionId: string,
): AsyncGenerator<LogRecord[], void> {
  for (let after = 0; ;) {
    const records = await sessions.events(sessionId, after, PAGE);
    const last = records.at(-1);
    if (last === undefined) return;
    assertGapless(records, after);
    yield records;
    after = last.seq;
  }
}

/** A dialect is a fold of the whole log: of one whose beginning was cut off nothing can be told. */
export function assertGapless(records: readonly LogRecord[], after: number): void {
  const [first] = records;
  if (first === undefined || first.seq === after + 1) return;
  throw logCutOff(first.sessionId, first.seq);
}

export function logCutOff(sessionId: string, firstSeq: number): ClientError {
  return new ClientError(
    'gone',
    'CM001',
    `Of session ${sessionId} the events before ${firstSeq} are gone (streamConfig.maxHistorySize), and this format is told from the first event on; format=stream tells what is left.`,
  );
}

/**
 * The events of a session in one of the four formats, in this process: those after `after`, then live, to the end of its
 * log. It is the same fold that the API tells, so a seq of the one resumes the other.
 */
export async function* followAs<F extends FormatName>(
  sessions: Log,
  sessionId: string,
  format: F,
  { after = 0, signal = new AbortController().signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<NumberedFrame<FrameOf<F>>, void> {
  const telling = createEncoder(FORMATS[format] as EventFormat<unknown, FrameOf<F>>);
  for await (const records of sessions.follow(sessionId, 0, signal)) {
    assertGapless(records, telling.seq);
    for (const record of records) {
      const frame = telling.encode(record);
      if (frame !== undefined && record.seq > after) yield { seq: record.seq, frame };
    }
  }
}
