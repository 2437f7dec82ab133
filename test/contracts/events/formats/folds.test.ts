import fc from 'fast-check';
import { createEncoder, encodeAll, type EventFormat } from '../../../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES } from '../../../../contracts/events/formats/formats';
import { StreamEventSchema } from '../../../../contracts/events/stream-event';
import { TaskLoopEventSchema } from '../../../../contracts/events/task-loop';
import { logOrderProblems } from '../../../../bench/log-checks/log-order';
import { payloadProblems } from '../../../../bench/log-checks/payloads';
import { logOf } from '../../../support/format-logs';
import { anySession } from '../../../support/format-plans';

const FOLDS = FORMAT_NAMES.map((format) => [format, FORMATS[format] as EventFormat<unknown, object>] as const);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test('the logs that these properties are shown on are such as the engine may write', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const log = logOf(plan);
      expect(logOrderProblems(log)).toEqual([]);
      expect(payloadProblems(log)).toEqual([]);
    }),
  );
});

test.each(FOLDS)('%s: a prefix of the log gives a prefix of the frames, at most one for a record', (_name, format) => {
  fc.assert(
    fc.property(anySession, fc.double({ min: 0, max: 1, noNaN: true }), (plan, share) => {
      const log = logOf(plan);
      const cut = Math.round(share * log.length);
      const whole = encodeAll(format, log);
      expect(encodeAll(format, log.slice(0, cut))).toEqual(whole.filter(({ seq }) => seq <= cut));
      expect(new Set(whole.map(({ seq }) => seq)).size).toBe(whole.length);
    }),
  );
});

test.each(FOLDS)(
  '%s: resumed at any seq, by folding again from the start, it goes on where it was',
  (_name, format) => {
    fc.assert(
      fc.property(anySession, fc.nat(200), (plan, after) => {
        const log = logOf(plan);
        const encoder = createEncoder(format);
        const rest = log.flatMap((record) => {
          const frame = encoder.encode(record);
          return frame === undefined || record.seq <= after ? [] : [{ seq: record.seq, frame }];
        });
        expect(rest).toEqual(encodeAll(format, log).filter(({ seq }) => seq > after));
      }),
    );
  },
);

test.each(FOLDS)(
  '%s: a step changes neither the state nor the record, and makes the same of both again',
  (_name, format) => {
    fc.assert(
      fc.property(anySession, (plan) => {
        let state = frozen(format.start);
        for (const record of logOf(plan).map(frozen)) {
          const [next, frame] = format.step(state, record);
          expect(format.step(state, record)).toEqual([next, frame]);
          state = frozen(next);
        }
      }),
      { numRuns: 30 },
    );
  },
);

test.each(FOLDS)('%s: frames survive JSON', (name, format) => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const frames = encodeAll(format, logOf(plan));
      const read = JSON.parse(JSON.stringify(frames)) as { frame: Record<string, unknown> }[];
      // Dates of S1 are dates again once its schema has read them.
      const schema = name === 'stream' ? StreamEventSchema : name === 'task-loop' ? TaskLoopEventSchema : undefined;
      const whole = read.map(({ frame, ...numbered }) => ({ ...numbered, frame: schema?.parse(frame) ?? frame }));
      expect(whole).toEqual(frames);
    }),
    { numRuns: 30 },
  );
});

test('a record out of its place is refused: a fold of a log with a gap would give other frames', () => {
  const [first, , third] = logOf({
    steps: [{ kind: 'instruction', iterations: [] }],
    ending: 'completed',
    isPaused: false,
  });
  const encoder = createEncoder(FORMATS.execution);
  encoder.encode(first!);
  expect(() => encoder.encode(third!)).toThrow(/Expected record 2 .* got 3/);
});
