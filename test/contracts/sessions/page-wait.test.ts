import { parseStart } from '../../../contracts/sessions/start-request';
import type { StepInput } from '../../../contracts/sessions/step-input';
import { givenRequestOf } from '../../../contracts/sessions/given-request';
import { pageWaitReadingIssues, readCondition } from '../../../rules/planning/page-wait';
import { floorIssues, type Floors } from '../../../runtime/settings/floors/floor-issues';
import { readSettings } from '../../../runtime/settings/settings';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The step as it is planned, or what is wrong with it. */
function planned(step: StepInput, more: object = {}) {
  const parsed = parseStart({ steps: ['Open http://shop.test/order', step], ...more });
  if (parsed.kind === 'invalid') return parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('\n');
  return pageWaitReadingIssues(parsed.plan.steps)[0]?.message ?? parsed.plan.steps[1]!.wait;
}

test.each<[step: StepInput, everyMs: number, atMostMs: number]>([
  ['Wait until "Shipped" is shown, at most 14 days, every 30 minutes', 30 * MINUTE, 14 * DAY],
  ['wait until "Shipped" is shown in the row "Order 7" every 2 h for up to two weeks.', 120 * MINUTE, 14 * DAY],
  ['Wait for "Shipped", checking every hour, for at most a day', 60 * MINUTE, DAY],
  ['Wait until "Processing" is no longer shown, every minute, no longer than 90m', MINUTE, 90 * MINUTE],
  [{ instruction: 'Expect "Shipped"', wait: { every: '30m', atMost: '14d' } }, 30 * MINUTE, 14 * DAY],
  [{ instruction: 'Wait until the Pay button is enabled', wait: { every: '30s', atMost: '1h' } }, 30_000, 60 * MINUTE],
])('%j waits', (step, everyMs, atMostMs) => {
  expect(planned(step)).toEqual({ everyMs, atMostMs });
  // A fork, or a schedule made of a session, asks for the same.
  const parsed = parseStart({ steps: [step] });
  if (parsed.kind !== 'valid') throw new Error('It is valid.');
  expect(givenRequestOf(parsed.plan).steps).toMatchObject([step]);
});

test.each([
  'Wait for "Done" for up to 10 seconds',
  'Wait until "Shipped" is shown',
  'Click "Every 30 minutes"',
  'Type "wait until \\"x\\", at most 2 days, every hour" into Notes',
])('“%s” waits within its step', (step) => {
  expect(planned(step)).toBeUndefined();
});

test.each<[step: StepInput, why: string]>([
  ['Wait until "Shipped" is shown, every 30 minutes', 'says how long at most'],
  ['Wait until "Shipped" is shown, at most 10 minutes, every hour', 'is over before it looks a second time'],
  ['Wait until "Shipped" is shown, at most 1 day, every -5 minutes', 'above 0'],
  ['Wait until "Shipped" is shown, at most 0 days, every 5 minutes', 'above 0'],
  ['Wait until "Shipped" is shown, at most 1 day, every 1.5 hours', 'a whole number'],
  ['Wait until "Shipped" is shown, at most 2 months, every day', 'seconds, minutes, hours or days'],
  ['Wait until "Shipped" is shown, at most 500 days, every day', 'at most 400 days'],
  ['Wait until the order has shipped, at most 2 days, every hour', 'its text in quotes'],
  ['Wait until "A" or "B" is shown, at most 2 days, every hour', 'one thing that the page shows'],
  [{ instruction: 'Click "Pay"', wait: { every: '1h', atMost: '2d' } }, 'I can not look for “Click "Pay"”'],
  [{ instruction: 'Expect "A"', wait: { every: '-1h', atMost: '2d' } }, 'expected a number with s, m, h or d'],
  [{ instruction: 'Expect "A"', wait: { every: '1h', atMost: '2d' }, once: { key: 'a' } }, 'a wait only looks'],
])('%j is refused', (step, why) => {
  expect(planned(step)).toContain(why);
});

test('a secret, a browser of the caller, and a wait that is shorter than the operator allows are refused', () => {
  const wait = 'Wait until "${code}" is shown, at most 2 days, every 30 seconds';
  const secrets = { code: { value: 'x1', origins: ['http://shop.test'] } };
  expect(planned(wait, { secrets })).toContain('code is a secret, which no page is searched for');
  const parsed = parseStart({ steps: [wait], variables: { code: 'Shipped' } });
  if (parsed.kind !== 'valid') throw new Error('It is valid.');
  const floors: Floors = readSettings({ TEMPORAL_ADDRESS: 'localhost:7233', DATABASE_URL: 'postgres://localhost/x' });
  expect(floorIssues(parsed.plan, floors)).toEqual([
    { path: 'steps[0]', message: 'a wait may look every 1m at most (SUREFOOT_SHORTEST_WAIT_MS), got 30s' },
  ]);
});

test('what is to disappear is expected to be gone, and a place is kept', () => {
  expect(readCondition('Wait until "Processing" disappears, at most 1 day, every hour')).toMatchObject({
    kind: 'expect',
    intent: { text: 'Processing', absent: true },
  });
  expect(readCondition('Wait until "Shipped" is shown in the row "Order 7", at most 1 day, every hour')).toMatchObject({
    kind: 'expect-element',
    said: '"Shipped" is shown in the row "Order 7"',
  });
});
