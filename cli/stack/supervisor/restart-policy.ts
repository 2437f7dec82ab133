/** An unexpected end of a child. */
export interface ChildExit {
  /** Time since it was ready; 0 when it never was. */
  workedMs: number;
  /** The last line that it wrote, where it ended by itself; undefined where a signal ended it. */
  lastWords?: string | undefined;
}

export type RestartDecision = { kind: 'restart'; delayMs: number } | { kind: 'give-up' };

export interface ChildHistory {
  wasEverReady: boolean;
  /** It needs no other process: what keeps it from starting does not pass by waiting for one. */
  isIndependent?: boolean;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
/** After this long a child counts as healthy: its end came from outside and resets the delay. */
const HEALTHY_MS = 3000;
/** A child that was never ready is most likely misconfigured, and the start waits for it. */
const EXITS_BEFORE_READY = 4;
/** About fifteen seconds. */
const SAME_EXITS_IN_ROW = 8;

/**
 * Decides what to do after the last of these exits. A child that was ready once is not given up, because its dependency
 * may be down; one without a dependency is when it ends again and again before it is ready, each time for the same reason.
 */
export function decideRestart(
  exits: readonly ChildExit[],
  { wasEverReady, isIndependent = false }: ChildHistory,
): RestartDecision {
  if (!wasEverReady && exits.length >= EXITS_BEFORE_READY) return { kind: 'give-up' };
  if (isIndependent && endsAlike(exits.slice(-SAME_EXITS_IN_ROW))) return { kind: 'give-up' };
  const lastHealthy = exits.findLastIndex((death) => death.workedMs >= HEALTHY_MS);
  const inRow = lastHealthy === -1 ? exits.length : exits.length - lastHealthy;
  return { kind: 'restart', delayMs: Math.min(FIRST_DELAY_MS * 2 ** (inRow - 1), LONGEST_DELAY_MS) };
}

function endsAlike(exits: readonly ChildExit[]): boolean {
  const [first] = exits;
  if (exits.length < SAME_EXITS_IN_ROW || first?.lastWords === undefined) return false;
  const reason = withoutNumbers(first.lastWords);
  return exits.every(
    ({ workedMs, lastWords }) => workedMs === 0 && lastWords !== undefined && withoutNumbers(lastWords) === reason,
  );
}

/** Times and pids differ from one run to the next. */
function withoutNumbers(line: string): string {
  return line.replaceAll(/\d+/g, '');
}
