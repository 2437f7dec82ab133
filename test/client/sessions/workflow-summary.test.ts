import { stepList, workflowSummary } from '../../../contracts/sessions/workflow-summary';

const size = (text: string) => Buffer.byteLength(JSON.stringify(text));

test('the summary shows the name, the first three steps in one line and how many follow', () => {
  expect(workflowSummary('Buy a\nshoe', ['open the shop'])).toBe('Buy a shoe: open the shop');
  expect(workflowSummary(undefined, ['open the shop'])).toBe('open the shop');
  expect(workflowSummary(undefined, ['a', 'b\n  b', 'c', 'd', 'e'])).toBe('a → b b → c → 2 more');
  expect(stepList(['a', 'b\nb'])).toBe('1. a\n2. b b');
});

test.each(['x', '"', 'ü', '👣', '\u0001'])(
  'whatever the steps hold (%j), they stay under what Temporal takes',
  (character) => {
    const steps = Array.from({ length: 100 }, () => character.repeat(1000 / character.length));
    expect(size(workflowSummary('a name', steps))).toBeLessThanOrEqual(400);
    expect(size(stepList(steps))).toBeLessThanOrEqual(20_000);
    expect(workflowSummary('a name', steps).isWellFormed()).toBe(true);
    expect(workflowSummary('a name', steps).endsWith('…')).toBe(true);
  },
);
