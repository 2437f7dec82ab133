import fc from 'fast-check';
import {
  DEFAULT_TIMEOUT_CONFIG,
  TimeoutConfigSchema,
  TimeoutValidationResultSchema,
  timeoutValidator,
  type TimeoutConfig,
} from '../../../contracts/sessions/timeouts';

const judge = (change: Partial<TimeoutConfig>) =>
  timeoutValidator.validateTimeoutHierarchy({ ...DEFAULT_TIMEOUT_CONFIG, ...change });

test('S1.49: the defaults are the ones of the contract, valid, and handed out as a copy', () => {
  const defaults = timeoutValidator.createDefaultTimeouts();
  expect(defaults).toEqual({
    workflowTimeoutMs: 1_800_000,
    stepTimeoutMs: 300_000,
    requestTimeoutMs: 30_000,
    connectionTimeoutMs: 10_000,
    defaultOperationTimeoutMs: 30_000,
    maxRetryAttempts: 3,
    retryDelayMs: 1000,
    exponentialBackoff: true,
  });
  expect(judge({})).toEqual({ isValid: true, errors: [], warnings: [] });
  defaults.stepTimeoutMs = 1;
  expect(timeoutValidator.createDefaultTimeouts().stepTimeoutMs).toBe(300_000);
});

test.each<[rule: string, named: string, change: Partial<TimeoutConfig>]>([
  ['S1.R14', 'workflowTimeoutMs', { workflowTimeoutMs: 299_999 }],
  ['S1.R15', 'stepTimeoutMs', { stepTimeoutMs: 29_999 }],
  ['S1.R16', 'requestTimeoutMs', { requestTimeoutMs: 9999 }],
  ['S1.R17', 'workflowTimeoutMs', { workflowTimeoutMs: 0 }],
  ['S1.R17', 'stepTimeoutMs', { stepTimeoutMs: -1 }],
  ['S1.R17', 'requestTimeoutMs', { requestTimeoutMs: Number.NaN }],
  ['S1.R17', 'connectionTimeoutMs', { connectionTimeoutMs: 0 }],
  ['S1.R17', 'defaultOperationTimeoutMs', { defaultOperationTimeoutMs: Number.POSITIVE_INFINITY }],
  ['S1.A11', 'maxRetryAttempts', { maxRetryAttempts: -1 }],
  ['S1.A11', 'maxRetryAttempts', { maxRetryAttempts: Number.NaN }],
  ['S1.A11', 'retryDelayMs', { retryDelayMs: -1 }],
  ['S1.A11', 'retryDelayMs', { retryDelayMs: Number.POSITIVE_INFINITY }],
])('[%s] refuses a bad %s and names it with its value: %j', (_, name, change) => {
  const { isValid, errors } = judge(change);
  const value = String(change[name as keyof TimeoutConfig]);
  expect(isValid).toBe(false);
  expect(errors.filter((error) => error.startsWith(name) && error.includes(value))).toHaveLength(1);
});

test.each<[rule: string, change: Partial<TimeoutConfig>]>([
  ['S1.R14', { workflowTimeoutMs: 300_000 }],
  ['S1.R15', { stepTimeoutMs: 30_000 }],
  ['S1.R16', { requestTimeoutMs: 10_000 }],
  ['S1.R17', { connectionTimeoutMs: 1 }],
  ['S1.A11', { maxRetryAttempts: 0, retryDelayMs: 0 }],
])('[%s] takes equal limits and the smallest numbers: %j', (_, change) => {
  expect(judge(change)).toEqual({ isValid: true, errors: [], warnings: [] });
});

test.each([
  [99_999, []],
  [100_000, [expect.stringMatching(/^retryDelayMs \(100000\)/)]],
])('[S1.R18, S1.A11] a retry delay of %i ms, 3 retries, a step of 300 s: warns only if too long', (delay, warnings) => {
  const verdict = judge({ retryDelayMs: delay });
  expect(verdict).toMatchObject({ isValid: true, errors: [], warnings });
  expect(verdict.recommendations ?? []).toHaveLength(warnings.length);
});

test('[S1.A11] without retries no delay is too long', () => {
  expect(judge({ maxRetryAttempts: 0, retryDelayMs: 10_000_000 }).warnings).toEqual([]);
});

test('[S1.A12] overrides win, undefined ones are ignored, nothing is clamped and no input changes', () => {
  const parent = Object.freeze({ ...DEFAULT_TIMEOUT_CONFIG });
  const overrides = Object.freeze({
    stepTimeoutMs: 1,
    requestTimeoutMs: undefined,
  }) as unknown as Partial<TimeoutConfig>;
  expect(timeoutValidator.inheritTimeouts(parent, overrides)).toEqual({ ...DEFAULT_TIMEOUT_CONFIG, stepTimeoutMs: 1 });
  const copy = timeoutValidator.inheritTimeouts(parent);
  expect(copy).toEqual(parent);
  expect(copy).not.toBe(parent);
});

test('[S1.R14, S1.R15, S1.R16, S1.R19] positive limits are valid exactly when they are in order', () => {
  const limit = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(limit, limit, limit, limit, (workflow, step, request, connection) => {
      const { isValid } = judge({
        workflowTimeoutMs: workflow,
        stepTimeoutMs: step,
        requestTimeoutMs: request,
        connectionTimeoutMs: connection,
      });
      expect(isValid).toBe(workflow >= step && step >= request && request >= connection);
    }),
  );
});

test('[S1.R20] the legacy limit is asked for, has its default, and has no place in the hierarchy', () => {
  const { defaultOperationTimeoutMs: _legacy, ...without } = DEFAULT_TIMEOUT_CONFIG;
  expect(TimeoutConfigSchema.safeParse(without).success).toBe(false);
  for (const defaultOperationTimeoutMs of [1, 10_000_000])
    expect(judge({ defaultOperationTimeoutMs })).toEqual({ isValid: true, errors: [], warnings: [] });
});

const anyNumber = fc.oneof(fc.integer({ min: -5, max: 50 }), fc.double(), fc.constantFrom(0, Number.NaN, Infinity));
const anyConfig = fc.record({
  workflowTimeoutMs: anyNumber,
  stepTimeoutMs: anyNumber,
  requestTimeoutMs: anyNumber,
  connectionTimeoutMs: anyNumber,
  defaultOperationTimeoutMs: anyNumber,
  maxRetryAttempts: anyNumber,
  retryDelayMs: anyNumber,
  exponentialBackoff: fc.boolean(),
});

test('[S1.R17, S1.A11] whatever numbers come, the verdict is a verdict, and valid only without an error', () => {
  fc.assert(
    fc.property(anyConfig, (config) => {
      const verdict = timeoutValidator.validateTimeoutHierarchy(config);
      const { workflowTimeoutMs, stepTimeoutMs, requestTimeoutMs, connectionTimeoutMs, defaultOperationTimeoutMs } =
        config;
      const limits = [
        workflowTimeoutMs,
        stepTimeoutMs,
        requestTimeoutMs,
        connectionTimeoutMs,
        defaultOperationTimeoutMs,
      ];
      const isPositive = limits.every((limit) => Number.isFinite(limit) && limit > 0);
      const isCounted = [config.maxRetryAttempts, config.retryDelayMs].every((n) => Number.isFinite(n) && n >= 0);
      const isOrdered =
        workflowTimeoutMs >= stepTimeoutMs &&
        stepTimeoutMs >= requestTimeoutMs &&
        requestTimeoutMs >= connectionTimeoutMs;
      expect(TimeoutValidationResultSchema.safeParse(verdict).success).toBe(true);
      expect(verdict.isValid).toBe(isPositive && isCounted && isOrdered);
      expect(verdict.isValid).toBe(verdict.errors.length === 0);
    }),
  );
});

test('[S1.R18, S1.A11] a valid hierarchy warns exactly when the retries would fill the step', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(400_000), (maxRetryAttempts, retryDelayMs) => {
      const { isValid, warnings, recommendations } = judge({ maxRetryAttempts, retryDelayMs });
      const isTooLong = maxRetryAttempts > 0 && retryDelayMs >= 300_000 / maxRetryAttempts;
      expect({ isValid, warned: warnings.length, advised: recommendations?.length ?? 0 }).toEqual({
        isValid: true,
        warned: Number(isTooLong),
        advised: Number(isTooLong),
      });
    }),
  );
});

test('[S1.A12] what a child inherits is its parent’s but for what it was given', () => {
  const overrides = fc.record(
    { stepTimeoutMs: anyNumber, retryDelayMs: anyNumber, exponentialBackoff: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyConfig, overrides, (parent, given) => {
      const before = structuredClone(parent);
      expect(timeoutValidator.inheritTimeouts(parent, given)).toEqual({ ...parent, ...given });
      expect(parent).toEqual(before);
    }),
  );
});
