interface Commit {
  run: string | null;
  at: string;
}

/** Counts presses that reach the server: the smallest effect that must not happen twice. */
export interface Counter {
  add(run: string | undefined): void;
  /** Returns the commits of one run, or all. */
  commits(run: string | undefined): Commit[];
  reset(): void;
}

export function createCounter(): Counter {
  const commits: Commit[] = [];
  return {
    add: (run) => void commits.push({ run: run ?? null, at: new Date().toISOString() }),
    commits: (run) => commits.filter((commit) => run === undefined || commit.run === run),
    reset: () => void (commits.length = 0),
  };
}
