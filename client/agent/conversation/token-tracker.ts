import type { ILogger, ITokenTracker, ITokenUsage, LLMUsage } from '../../../contracts/tasks/chat';

/** S2.X: the share of the limit at which a warning is logged, once. */
const WARNING_SHARE = 0.9;

interface Counts {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cumulativeTokens: number;
  inputTokenDetails?: LLMUsage['inputTokenDetails'];
  outputTokenDetails?: LLMUsage['outputTokenDetails'];
  /** Calls that reported cached input, those of them with a cache hit, and the cached tokens in all. */
  reportedCalls: number;
  cacheHits: number;
  cachedTokens: number;
}

const NONE: Counts = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cumulativeTokens: 0,
  reportedCalls: 0,
  cacheHits: 0,
  cachedTokens: 0,
};

/**
 * S2.X ITokenTracker. Input, output and total are those of the last call and show how full the context window
 * (`tokenLimit`) is; `cumulativeTokens` is the sum of all calls. Invalid counts are logged and left out.
 */
export class TokenTracker implements ITokenTracker {
  private counts: Counts = { ...NONE };
  private hasWarned = false;

  constructor(
    private readonly tokenLimit: number,
    private readonly logger: Pick<ILogger, 'warn'>,
  ) {}

  updateUsage(usage: Partial<LLMUsage>): void {
    const { counts } = this;
    const inputTokens = this.count('inputTokens', usage.inputTokens);
    const outputTokens = this.count('outputTokens', usage.outputTokens);
    const totalTokens = this.count('totalTokens', usage.totalTokens);
    const cachedTokens = this.count('cachedTokens', usage.inputTokenDetails?.cachedTokens);
    const reasoningTokens = this.count('reasoningTokens', usage.outputTokenDetails?.reasoningTokens);
    if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return;
    counts.inputTokens = inputTokens ?? 0;
    counts.outputTokens = outputTokens ?? 0;
    counts.totalTokens = totalTokens ?? counts.inputTokens + counts.outputTokens;
    counts.cumulativeTokens += counts.totalTokens;
    if (cachedTokens !== undefined) {
      counts.inputTokenDetails = { cachedTokens };
      counts.reportedCalls += 1;
      counts.cacheHits += cachedTokens > 0 ? 1 : 0;
      counts.cachedTokens += cachedTokens;
    }
    if (reasoningTokens !== undefined) counts.outputTokenDetails = { reasoningTokens };
    this.warnWhenNearlyFull();
  }

  getUsage(): ITokenUsage {
    const { reportedCalls, cacheHits: hits, cachedTokens: saved, ...counts } = this.counts;
    return {
      ...counts,
      tokenLimit: this.tokenLimit,
      usagePercentage: Math.min(this.share * 100, 100),
      ...(reportedCalls === 0
        ? {}
        : {
            cacheHitRate: hits / reportedCalls,
            tokenSavings: saved,
            totalCacheableRequests: reportedCalls,
            actualCacheHits: hits,
          }),
    };
  }

  reset(): void {
    this.counts = { ...NONE };
    this.hasWarned = false;
  }

  isApproachingLimit(threshold = 0.8): boolean {
    return this.tokenLimit > 0 && this.share >= threshold;
  }

  /** Without a limit nothing is ever full. */
  private get share(): number {
    return this.tokenLimit > 0 ? this.counts.totalTokens / this.tokenLimit : 0;
  }

  private count(name: string, given: number | undefined): number | undefined {
    if (given === undefined || (Number.isFinite(given) && given >= 0)) return given;
    this.logger.warn(`Expected ${name} to be zero or more, got ${given}; it is not counted.`);
    return undefined;
  }

  private warnWhenNearlyFull(): void {
    if (this.hasWarned || !this.isApproachingLimit(WARNING_SHARE)) return;
    this.hasWarned = true;
    const { totalTokens } = this.counts;
    this.logger.warn(
      `The conversation takes ${totalTokens} of the ${this.tokenLimit} tokens that the model has room for; what is older is going to be summed up.`,
    );
  }
}
