/** The rate limits of one API key and the circuit breaker of a model, shared by all workers. 0 is no limit. */
export interface ModelLimits {
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** So many failures within the window open the breaker of a model for `openMs`. */
  breaker: { failures: number; windowMs: number; openMs: number };
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  breaker: { failures: 5, windowMs: 60_000, openMs: 30_000 },
};

export const NO_MODEL_LIMITS: ModelLimits = {
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  breaker: { ...DEFAULT_MODEL_LIMITS.breaker, failures: 0 },
};

/** Failure type of a call that was held back by the rate limit of its key; its details say how long to wait. */
export const CALL_HELD = 'CallHeld';

/** `details.kind` of a call that was not made because the breaker of its model is open. */
export const BREAKER_OPEN = 'breaker-open';
