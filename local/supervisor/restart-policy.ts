/** An unexpected end of a child. */
export interface ChildExit {
  /** Time since it was ready; 0 when it never was. */
  workedMs: number;
}

export type RestartDecision = { kind: 'restart'; delayMs: number } | { kind: 'give-up' };

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
/** After this long a child counts as healthy: its end came from outside and resets the delay. */
const HEALTHY_MS = 3000;
/** A child that was never ready is most likely misconfigured, and the start waits for it. */
const EXITS_BEFORE_READY = 4;

/**
 * Decides what to do after the last of these exits. A child that was ready once is never given up: its dependency may
 * be down.
 */
export function decideRestart(exits: readonly ChildExit[], wasEverReady: boolean): RestartDecision {
  if (!wasEverReady && exits.length >= EXITS_BEFORE_READY) return { kind: 'give-up' };
  const lastHealthy = exits.findLastIndex((death) => death.workedMs >= HEALTHY_MS);
  const inRow = lastHealthy === -1 ? exits.length : exits.length - lastHealthy;
  return { kind: 'restart', delayMs: Math.min(FIRST_DELAY_MS * 2 ** (inRow - 1), LONGEST_DELAY_MS) };
}
