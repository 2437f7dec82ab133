/** Receives what the local stack does; the command line prints it, tests collect it. */
export interface Reporter {
  /** A part of the start is done. */
  step(text: string): void;
  /** Work takes longer than a second. */
  progress(text: string): void;
  /** A problem that does not stop the stack. */
  warn(text: string): void;
}

const QUIET_MS = 1000;
const REPEAT_MS = 15_000;

/** Runs the work and reports progress after one second, then every 15 seconds. */
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
