import { createAgentLogger } from '../../../../client/agent/logger';
import { TokenTracker } from '../../../../client/agent/conversation/token-tracker';
import { LogLevel } from '../../../../contracts/tasks/chat';

const usage = (inputTokens: number, outputTokens: number, cachedTokens?: number) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  ...(cachedTokens === undefined ? {} : { inputTokenDetails: { cachedTokens } }),
});

function aTracker(limit: number) {
  const warnings: string[] = [];
  return { tracker: new TokenTracker(limit, { warn: (message) => void warnings.push(message) }), warnings };
}

describe('[S2.R2] the token tracker', () => {
  it('begins with nothing used', () => {
    const { tracker } = aTracker(1000);
    expect(tracker.getUsage()).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      cumulativeTokens: 0,
      tokenLimit: 1000,
      usagePercentage: 0,
    });
    expect(tracker.isApproachingLimit()).toBe(false);
  });

  it('reports the last call, how full the window is, and what all calls have used', () => {
    const { tracker } = aTracker(1000);
    tracker.updateUsage(usage(100, 50));
    tracker.updateUsage(usage(200, 50));
    expect(tracker.getUsage()).toMatchObject({
      inputTokens: 200,
      outputTokens: 50,
      totalTokens: 250,
      cumulativeTokens: 400,
      usagePercentage: 25,
    });
  });

  it('sums input and output where a provider reports no total', () => {
    const { tracker } = aTracker(1000);
    tracker.updateUsage({ inputTokens: 30, outputTokens: 12 });
    expect(tracker.getUsage().totalTokens).toBe(42);
  });

  it('ignores counts below zero, and such as are no numbers, with a warning', () => {
    const { tracker, warnings } = aTracker(1000);
    tracker.updateUsage(usage(10, 5));
    tracker.updateUsage({ inputTokens: -5 });
    tracker.updateUsage({ totalTokens: Number.NaN });
    expect(tracker.getUsage()).toMatchObject({ inputTokens: 10, totalTokens: 15, cumulativeTokens: 15 });
    expect(warnings).toEqual([
      'Expected inputTokens to be zero or more, got -5; it is not counted.',
      'Expected totalTokens to be zero or more, got NaN; it is not counted.',
    ]);
  });

  it('takes the good counts of a call beside a bad one', () => {
    const { tracker, warnings } = aTracker(1000);
    tracker.updateUsage({ inputTokens: 20, outputTokens: -1 });
    expect(tracker.getUsage()).toMatchObject({ inputTokens: 20, outputTokens: 0, totalTokens: 20 });
    expect(warnings).toHaveLength(1);
  });

  it('warns at 90 %, once', () => {
    const { tracker, warnings } = aTracker(1000);
    tracker.updateUsage(usage(850, 49));
    expect(warnings).toEqual([]);
    tracker.updateUsage(usage(850, 50));
    tracker.updateUsage(usage(990, 5));
    expect(warnings).toEqual([
      'The conversation takes 900 of the 1000 tokens that the model has room for; what is older is going to be summed up.',
    ]);
  });

  it('warns again after a reset', () => {
    const { tracker, warnings } = aTracker(100);
    tracker.updateUsage(usage(95, 0));
    tracker.reset();
    expect(tracker.getUsage()).toMatchObject({ totalTokens: 0, cumulativeTokens: 0 });
    tracker.updateUsage(usage(95, 0));
    expect(warnings).toHaveLength(2);
  });

  it('approaches its limit at 80 %, or at the share that is asked for', () => {
    const { tracker } = aTracker(1000);
    tracker.updateUsage(usage(799, 0));
    expect(tracker.isApproachingLimit()).toBe(false);
    expect(tracker.isApproachingLimit(0.5)).toBe(true);
    tracker.updateUsage(usage(800, 0));
    expect(tracker.isApproachingLimit()).toBe(true);
  });

  it('is never full with a limit of zero', () => {
    const { tracker, warnings } = aTracker(0);
    tracker.updateUsage(usage(1_000_000, 0));
    expect(tracker.getUsage()).toMatchObject({ totalTokens: 1_000_000, usagePercentage: 0 });
    expect(tracker.isApproachingLimit()).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('reports no more than 100 %', () => {
    const { tracker } = aTracker(100);
    tracker.updateUsage(usage(150, 0));
    expect(tracker.getUsage().usagePercentage).toBe(100);
  });

  it('reports the share of calls that found something in a cache, and what that saved', () => {
    const { tracker } = aTracker(10_000);
    tracker.updateUsage(usage(100, 10, 0));
    tracker.updateUsage(usage(200, 10, 80));
    tracker.updateUsage(usage(300, 10));
    tracker.updateUsage(usage(300, 10, 200));
    tracker.updateUsage(usage(300, 10, 100));
    expect(tracker.getUsage()).toMatchObject({
      cacheHitRate: 0.75,
      tokenSavings: 380,
      totalCacheableRequests: 4,
      actualCacheHits: 3,
      inputTokenDetails: { cachedTokens: 100 },
    });
  });

  it('keeps the tokens of reasoning', () => {
    const { tracker } = aTracker(1000);
    tracker.updateUsage({ ...usage(10, 30), outputTokenDetails: { reasoningTokens: 20 } });
    expect(tracker.getUsage().outputTokenDetails).toEqual({ reasoningTokens: 20 });
  });
});

describe('the logger of the library', () => {
  it('writes what its level lets through, with the context of its parents, and nothing at NONE', () => {
    const lines: string[] = [];
    const logger = createAgentLogger({ level: LogLevel.INFO, write: (line) => void lines.push(line) });
    const child = logger.createChildLogger({ sessionId: 's' });
    child.info('logged', { callId: 'c' });
    child.debug('not logged');
    child.setLevel(LogLevel.NONE);
    child.error('not logged either');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'INFO', time: expect.any(Number), message: 'logged', sessionId: 's', callId: 'c' },
    ]);
    expect(logger.getLevel()).toBe(LogLevel.INFO);
  });
});
