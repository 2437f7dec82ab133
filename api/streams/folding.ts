import { assertGapless } from '../../client/events/follow-format';
import { ClientError, type Sessions } from '../../client/port';
import { createEncoder, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS } from '../../contracts/events/formats/formats';
import type { LogRecord } from '../../contracts/events/log';
import { toFoldedFrame, type FoldedFormat } from './frames';

/** A fold of one session's log under way, each frame as it goes over the wire. */
export interface Folding {
  readonly format: FoldedFormat;
  readonly seq: number;
  tell(record: LogRecord): Buffer | undefined;
}

export function beginFolding(format: FoldedFormat): Folding {
  const telling = createEncoder(FORMATS[format] as EventFormat<unknown, never>);
  return {
    format,
    get seq() {
      return telling.seq;
    },
    tell(record) {
      const frame = telling.encode(record);
      return frame === undefined ? undefined : toFoldedFrame(format, record.seq, frame);
    },
  };
}

const PAGE = 500;

/** Folds the next records of the store, `most` at most; resolves to the frames of them. */
export async function foldMore(
  sessions: Pick<Sessions, 'events'>,
  sessionId: string,
  folding: Folding,
  most: number,
): Promise<{ seq: number; frame: Buffer }[]> {
  const records = await sessions.events(sessionId, folding.seq, Math.min(most, PAGE));
  if (records.length === 0)
    throw new ClientError('gone', 'CM001', `The log of session ${sessionId} does not go on after ${folding.seq}.`);
  assertGapless(records, folding.seq);
  return records.flatMap((record) => {
    const frame = folding.tell(record);
    return frame === undefined ? [] : [{ seq: record.seq, frame }];
  });
}
