import type { LogRecord } from '../log';

/**
 * One of the formats of a session's events: a pure fold over its log that makes at most one frame of a record. So a
 * prefix of the log gives a prefix of the frames, and the `seq` of a frame resumes exactly.
 */
export interface EventFormat<State, Frame> {
  readonly start: State;
  /** Each frame is made of its own record alone, so an encoder may start after any record and skip others. */
  readonly isStateless?: true;
  step(state: State, record: LogRecord): readonly [State, Frame | undefined];
}

/** A frame with the place of its record in the log. */
export interface NumberedFrame<Frame> {
  seq: number;
  frame: Frame;
}

/** A fold under way. */
export interface FrameEncoder<Frame> {
  /** Seq of the last record that was encoded. */
  readonly seq: number;
  /** Takes the records of a log in their order: all of them, from the first on, unless the format is stateless. */
  encode(record: LogRecord): Frame | undefined;
}

/** Starts to encode a log. `after` is the record before the first that a stateless format encodes. */
export function createEncoder<State, Frame>(format: EventFormat<State, Frame>, after = 0): FrameEncoder<Frame> {
  let state = format.start;
  let seq = format.isStateless === true ? after : 0;
  return {
    get seq() {
      return seq;
    },
    encode(record) {
      if (record.seq !== seq + 1 && format.isStateless !== true)
        throw new Error(`Expected record ${seq + 1} of session ${record.sessionId}, got ${record.seq}.`);
      const [next, frame] = format.step(state, record);
      state = next;
      seq = record.seq;
      return frame;
    },
  };
}

export function encodeAll<State, Frame>(
  format: EventFormat<State, Frame>,
  log: readonly LogRecord[],
): NumberedFrame<Frame>[] {
  const encoder = createEncoder(format);
  return log.flatMap((record) => {
    const frame = encoder.encode(record);
    return frame === undefined ? [] : [{ seq: record.seq, frame }];
  });
}
