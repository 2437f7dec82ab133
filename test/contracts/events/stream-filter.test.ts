import fc from 'fast-check';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { isOpenFilter, passes, StreamFilterSchema } from '../../../contracts/events/stream-filter';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const record = fc.record({
  type: fc.constantFrom(...Object.values(StreamEventType)),
  stepIndex: fc.option(fc.nat(3), { nil: undefined }),
  at: fc.nat(20).map(at),
});
const filter = fc.record(
  {
    types: fc.uniqueArray(fc.constantFrom(...Object.values(StreamEventType)), { minLength: 1 }),
    stepIndex: fc.nat(3),
    since: fc.nat(20).map(at),
    until: fc.nat(20).map(at),
  },
  { requiredKeys: [] },
);

test('an event passes exactly when each part of the filter lets it, both ends of the time included', () => {
  fc.assert(
    fc.property(filter, record, (wanted, event) => {
      expect(StreamFilterSchema.safeParse(wanted).success).toBe(true);
      const parts = [
        wanted.types === undefined || wanted.types.includes(event.type),
        wanted.stepIndex === undefined || wanted.stepIndex === event.stepIndex,
        wanted.since === undefined || event.at >= wanted.since,
        wanted.until === undefined || event.at <= wanted.until,
      ];
      expect(passes(wanted, event)).toBe(parts.every(Boolean));
      expect(isOpenFilter(wanted)).toBe(Object.keys(wanted).length === 0);
    }),
  );
});

test('the moments that a filter names belong to its time, and nothing beyond them does', () => {
  const [before, first, last, after] = [at(1), at(2), at(5), at(6)].map((moment) =>
    passes({ since: at(2), until: at(5) }, { type: StreamEventType.AI_REASONING, at: moment }),
  );
  expect([before, first, last, after]).toEqual([false, true, true, false]);
});

test.each([{ types: [] }, { types: ['NO_EVENT'] }, { stepIndex: -1 }, { since: 'yesterday' }, { colour: 'red' }])(
  '%j is no filter',
  (given) => {
    expect(StreamFilterSchema.safeParse(given).success).toBe(false);
  },
);
