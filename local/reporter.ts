/** Where the local stack tells what it does; the command line prints it, the tests collect it. */
export interface Reporter {
  /** Something is done. */
  step(text: string): void;
  /** Something is under way that takes more than a second. */
  progress(text: string): void;
  /** Something is not as wished, and the stack goes on. */
  warn(text: string): void;
}

const QUIET_MS = 1000;
const REPEAT_MS = 15_000;

/** Runs the work and says what it is once it takes over a second, then again every 15 seconds. */
export async function withProgress<T>(reporter: Reporter, text: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    reporter.progress(text);
    repeat = setInterval(() => reporter.progress(`${text}: ${secondsSince(startedAt)} so far`), REPEAT_MS);
  }, QUIET_MS);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}

export function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
