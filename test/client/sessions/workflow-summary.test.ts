import { stepList, stepSummary } from '../../../service/sessions/workflow-summary';

const size = (text: string) => Buffer.byteLength(JSON.stringify(text));

test('the summary shows the first three steps in one line and how many follow', () => {
  expect(stepSummary(['open the shop'])).toBe('open the shop');
  expect(stepSummary(['a', 'b\n  b', 'c', 'd', 'e'])).toBe('a → b b → c → 2 more');
  expect(stepList(['a', 'b\nb'])).toBe('1. a\n2. b b');
});

test.each(['x', '"', 'ü', '👣', '\u0001'])(
  'whatever the steps hold (%j), they stay under what Temporal takes',
  (character) => {
    const steps = Array.from({ length: 100 }, () => character.repeat(1000 / character.length));
    expect(size(stepSummary(steps))).toBeLessThanOrEqual(400);
    expect(size(stepList(steps))).toBeLessThanOrEqual(20_000);
    expect(stepSummary(steps).isWellFormed()).toBe(true);
    expect(stepSummary(steps).endsWith('…')).toBe(true);
  },
);
