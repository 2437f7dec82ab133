import { readSettings } from '../../runtime/settings/settings';

const places = { DATABASE_URL: 'postgres://127.0.0.1:1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };

test('by default a key has no limit of requests and tokens of ours, and there is no budget', () => {
  const { modelLimits, budget } = readSettings(places);
  expect(modelLimits).toEqual({
    requestsPerMinute: 0,
    tokensPerMinute: 0,
    breaker: { failures: 5, windowMs: 60_000, openMs: 30_000 },
  });
  expect(budget).toBeUndefined();
  const own = {
    SUREFOOT_MODEL_REQUESTS_PER_MINUTE: '0',
    SUREFOOT_MODEL_TOKENS_PER_MINUTE: '2000000',
    SUREFOOT_MODEL_BREAKER_FAILURES: '2',
    SUREFOOT_MODEL_BREAKER_SECONDS: '1.5',
    SUREFOOT_BUDGET: '{"maxCost": "2", "whenReached": "end"}',
  };
  const settings = readSettings({ ...places, ...own });
  expect(settings.modelLimits).toEqual({
    requestsPerMinute: 0,
    tokensPerMinute: 2_000_000,
    breaker: { failures: 2, windowMs: 60_000, openMs: 1500 },
  });
  expect(settings.budget).toEqual({ maxCost: '2', whenReached: 'end' });
});

test.each([
  ['SUREFOOT_BUDGET', 'two dollars'],
  ['SUREFOOT_BUDGET', '{"maxCost": 2}'],
  ['SUREFOOT_BUDGET', '{}'],
  ['SUREFOOT_MODEL_REQUESTS_PER_MINUTE', '-1'],
  ['SUREFOOT_MODEL_CASSETTE', 'rewind'],
])('%s=%s is refused with its name', (name, value) => {
  expect(() => readSettings({ ...places, [name]: value })).toThrow(`The environment variable ${name} is not usable`);
});
