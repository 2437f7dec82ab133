import { activityOptions, workflowBackstop } from '../../../contracts/sessions/activity-limits';

const YEARS = 365 * 86_400_000;

test('limits of centuries are ten years for Temporal, which takes no longer ones', () => {
  const values = { 'executorConfig.timeoutMs': Number.MAX_SAFE_INTEGER, commands: 2, connectionTimeoutMs: 4000 };
  expect(activityOptions('commands by host', values, Number.MAX_SAFE_INTEGER)).toMatchObject({
    startToCloseTimeout: 10 * YEARS,
    scheduleToCloseTimeout: 10 * YEARS,
    scheduleToStartTimeout: 3000,
  });
  expect(workflowBackstop(Number.MAX_SAFE_INTEGER).workflowRunTimeout).toBe(11 * YEARS);
});

test('a limit that is no number leaves the backstop to the year of waiting: the session refuses it itself', () => {
  for (const wrong of [Number.NaN, -5, '7' as never, {} as never])
    expect(workflowBackstop(wrong).workflowRunTimeout / YEARS).toBeCloseTo(1);
});

test('what a limit is made of has to be known', () => {
  expect(() => activityOptions('model')).toThrow(/aiConfig\.timeoutMs, which this call does not have/);
});
