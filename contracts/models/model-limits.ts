/** How often a vendor is asked with one key, and when it is left alone; shared by all workers. 0 is no limit. */
export interface ModelLimits {
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** So many outages within the window open the breaker of a model, for so long. */
  breaker: { failures: number; windowMs: number; openMs: number };
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  requestsPerMinute: 60,
  tokensPerMinute: 40_000,
  breaker: { failures: 5, windowMs: 60_000, openMs: 30_000 },
};

export const NO_MODEL_LIMITS: ModelLimits = {
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  breaker: { ...DEFAULT_MODEL_LIMITS.breaker, failures: 0 },
};

/** Failure type of a call that was not made because its key has made enough for now; its details say how long to wait. */
export const CALL_HELD = 'CallHeld';

/** `details.kind` of a call that was not made because its model was out a moment ago. */
export const BREAKER_OPEN = 'breaker-open';
