import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { EngineError, isOutage, toFailure, toStandardError } from '../../activities/activity/failures';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StoreRefusal, type RefusalReason } from '../../store/database/refusals';

function failureOf(error: unknown, attempt = 1): ApplicationFailure & { record: StandardError } {
  const failure = toFailure(error, 'TL002', attempt, { sessionId: 's', stepIndex: 2, moduleId: 'task-loop' });
  if (!(failure instanceof ApplicationFailure))
    throw new Error(`expected an ApplicationFailure, got ${String(failure)}`);
  return Object.assign(failure, { record: failure.details?.[0] as StandardError });
}

const withCode = (code: string): Error => Object.assign(new Error(`it broke with ${code}`), { code });

test('S1.E: what our own code throws keeps its code, is final, and says whether to try again', () => {
  const failure = failureOf(new EngineError('AI003', 'busy', { details: { a: 1 }, suggestedAction: 'wait' }));
  expect(failure).toMatchObject({ type: 'AI003', message: 'busy', nonRetryable: true });
  expect(failure.record).toMatchObject({
    code: 'AI003',
    category: 'SYSTEM',
    retryable: true,
    details: { a: 1 },
    suggestedAction: 'wait',
    sessionId: 's',
    stepIndex: 2,
    // The activity belongs to the task loop; what failed in it was the model.
    moduleId: 'ai-integration',
  });
});

test('[S1.R22] an error keeps the chain of its causes, each with the module that raised it', () => {
  const network = new Error('socket closed', { cause: new Error('ECONNRESET') });
  const { record } = failureOf(
    new EngineError('CM003', 'no request', { cause: new EngineError('PM002', 'no text', { cause: network }) }),
  );
  expect(record).toMatchObject({
    moduleId: 'ai-context-manager',
    cause: { moduleId: 'ai-prompt-manager', cause: { message: 'socket closed', cause: { message: 'ECONNRESET' } } },
  });
  expect(failureOf(network).record).toMatchObject({ moduleId: 'task-loop', cause: { message: 'ECONNRESET' } });
});

test('an error may carry a failure type of its own', () => {
  expect(failureOf(new EngineError('EX001', 'gone', { type: 'BrowserGone' })).type).toBe('BrowserGone');
});

test.each<[reason: RefusalReason, type: string]>([
  ['closed', 'SessionSuperseded'],
  ['superseded', 'SessionSuperseded'],
  ['paused', 'SessionSuperseded'],
])('a refusal of the store because of %s is final, as %s', (reason, type) => {
  const failure = failureOf(new StoreRefusal(reason, 'no'));
  expect(failure).toMatchObject({ type, nonRetryable: true });
  expect(failure.record).toMatchObject({ code: 'SP002', retryable: false, cause: { message: 'no' } });
});

test.each<RefusalReason>(['behind', 'unknown-session'])(
  'a refusal because the database has forgotten what is known (%s) goes to the workflow',
  (reason) => {
    expect(failureOf(new StoreRefusal(reason, 'no'))).toMatchObject({ type: 'StoreBehind', nonRetryable: true });
  },
);

test('a refusal because of a newer lease is tried again by Temporal, which asks for a newer one', () => {
  const failure = failureOf(new StoreRefusal('stale-epoch', 'no'), 40);
  expect(failure).toMatchObject({ type: 'StaleLease', nonRetryable: false });
});

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P03',
  '08006',
  '53300',
  'ENOTFOUND',
])('an outage (%s) is retried by Temporal without limit', (code) => {
  expect(isOutage(withCode(code))).toBe(true);
  expect(failureOf(withCode(code), 100)).toMatchObject({ type: 'CM002', nonRetryable: false });
  expect(isOutage(new Error('x', { cause: withCode(code) }))).toBe(true);
});

test.each(['23505', '22P02', '42P01', 'ENOENT'])('%s is no outage', (code) => {
  expect(isOutage(withCode(code))).toBe(false);
});

test.each([
  [1, false],
  [2, false],
  [3, true],
  [4, true],
])('the unexpected at attempt %i is final: %s, and the workflow does not try it again', (attempt, nonRetryable) => {
  const failure = failureOf(new TypeError('x is not a function'), attempt);
  expect(failure).toMatchObject({ type: 'TL002', message: 'x is not a function', nonRetryable });
  expect(failure.record).toMatchObject({ code: 'TL002', retryable: false });
  const late = new EngineError('EX001', 'not ready in time', { isWorthAnotherTry: true });
  expect(failureOf(late, attempt).nonRetryable).toBe(nonRetryable);
});

test('a thrown value that is no error is reported as text', () => {
  expect(failureOf('nonsense').message).toBe('nonsense');
});

test('failures that are made already, and cancellations, go through as they are', () => {
  for (const failure of [ApplicationFailure.create({ message: 'm' }), new CancelledFailure('c')]) {
    expect(toFailure(failure, 'TL002', 1)).toBe(failure);
  }
});

test('[S1.R22] the origin of an error stays in its cause', () => {
  const error = new EngineError('TL004', 'outer', { cause: new EngineError('EX002', 'inner') });
  expect(toStandardError(error, 'TL002')).toMatchObject({ code: 'TL004', cause: { code: 'EX002', message: 'inner' } });
});
