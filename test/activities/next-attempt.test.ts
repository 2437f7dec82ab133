import { ApplicationFailure } from '@temporalio/activity';
import { nextAttempt, refusalsOf } from '../../activities/activity/next-attempt';
import { EngineError, toFailure } from '../../activities/activity/failures';

const retries = { maxRetryAttempts: 2, retryDelayMs: 100, exponentialBackoff: true };
const busy = (more: object = {}) => toFailure(new EngineError('AI003', 'Busy.', more), 'TL002', 1);

test('[S1.A13, S1.A14] what waiting may cure is tried again by Temporal, later each time, then final', () => {
  const [first, second] = [0, 1].map((refusals) => nextAttempt(busy(), retries, refusals) as ApplicationFailure);
  expect(first).toMatchObject({
    nonRetryable: false,
    type: 'AI003',
    nextRetryDelay: 100,
    details: [{ code: 'AI003' }],
  });
  expect(second).toMatchObject({ nextRetryDelay: 200 });
  expect(nextAttempt(busy(), retries, 2)).toBeUndefined();
});

test('a provider says how long to wait, and a failure may be worth fewer tries', () => {
  expect(nextAttempt(busy({ details: { retryAfterMs: 7000 } }), retries, 0)).toMatchObject({ nextRetryDelay: 7000 });
  expect(nextAttempt(busy({ details: { maxRetries: 1 } }), retries, 1)).toBeUndefined();
});

test('what no waiting cures, and what Temporal tries again anyway, is left as it is', () => {
  expect(nextAttempt(toFailure(new EngineError('AI002', 'The key is wrong.'), 'TL002', 1), retries, 0)).toBeUndefined();
  expect(nextAttempt(busy({ isFinal: true }), retries, 0)).toBeUndefined();
  const outage = ApplicationFailure.create({ message: 'away', type: 'CM002', nonRetryable: false });
  expect(nextAttempt(outage, retries, 0)).toBeUndefined();
});

test('heartbeats of another kind, or none, say that nothing was refused', () => {
  expect([undefined, null, 'beat', {}].map(refusalsOf)).toEqual([0, 0, 0, 0]);
  expect(refusalsOf({ refusals: 2 })).toBe(2);
});
