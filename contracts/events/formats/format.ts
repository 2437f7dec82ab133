import type { LogRecord } from '../log';

/**
 * One of the four ways to tell a session: a pure fold over its log, from its first record on, that makes at most one
 * frame of a record. So a prefix of the log gives a prefix of the frames, and the `seq` of a frame resumes exactly.
 */
export interface EventFormat<State, Frame> {
  readonly start: State;
  step(state: State, record: LogRecord): readonly [State, Frame | undefined];
}

/** A frame with the place of its record in the log. */
export interface NumberedFrame<Frame> {
  seq: number;
  frame: Frame;
}

/** A fold under way. */
export interface FrameEncoder<Frame> {
  /** Seq of the last record that was folded. */
  readonly seq: number;
  /** Takes the records of a log one after the other, from the first on. */
  encode(record: LogRecord): Frame | undefined;
}

export function createEncoder<State, Frame>(dialect: EventFormat<State, Frame>): FrameEncoder<Frame> {
  let state = dialect.start;
  let seq = 0;
  return {
    get seq() {
      return seq;
    },
    encode(record) {
      if (record.seq !== seq + 1)
        throw new Error(`Expected record ${seq + 1} of session ${record.sessionId}, got ${record.seq}.`);
      const [next, frame] = dialect.step(state, record);
      state = next;
      seq = record.seq;
      return frame;
    },
  };
}

export function encodeAll<State, Frame>(
  dialect: EventFormat<State, Frame>,
  log: readonly LogRecord[],
): NumberedFrame<Frame>[] {
  const telling = createEncoder(dialect);
  return log.flatMap((record) => {
    const frame = telling.encode(record);
    return frame === undefined ? [] : [{ seq: record.seq, frame }];
  });
}
