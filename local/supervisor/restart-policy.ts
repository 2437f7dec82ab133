/** A child that ended without being asked to. */
export interface ChildExit {
  /** From the moment it was ready; 0 when it never got there. */
  workedMs: number;
}

export type RestartDecision = { kind: 'restart'; delayMs: number } | { kind: 'give-up' };

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
/** A child that worked this long was well, and something from outside has ended it: that tells nothing about the next. */
const HEALTHY_MS = 3000;
/** A child that was never ready is most likely set up wrongly, and somebody waits for the stack to come up. */
const DEATHS_BEFORE_READY = 4;

/** What to do after the last of these deaths. A child that was well once will be again: what it lacks comes back. */
export function decideRestart(exits: readonly ChildExit[], wasEverReady: boolean): RestartDecision {
  if (!wasEverReady && exits.length >= DEATHS_BEFORE_READY) return { kind: 'give-up' };
  const lastHealthy = exits.findLastIndex((death) => death.workedMs >= HEALTHY_MS);
  const inRow = lastHealthy === -1 ? exits.length : exits.length - lastHealthy;
  return { kind: 'restart', delayMs: Math.min(FIRST_DELAY_MS * 2 ** (inRow - 1), LONGEST_DELAY_MS) };
}
