import { ownProcessorSeconds } from './processor-time';

/** A process that lives for less is not counted, and of another its last moments. */
const SAMPLE_MS = 150;

/**
 * Measures the processor seconds of these processes while the work is done. It samples them, because the time of a Chrome's
 * renderers is lost where the Chrome ends before it has waited for them.
 */
export async function metered<T>(
  processes: () => number[],
  work: () => Promise<T>,
): Promise<{ result: T; processorSeconds: number }> {
  const used = new Map<number, number>();
  const read = (): void => {
    for (const pid of processes()) {
      const seconds = ownProcessorSeconds(pid);
      if (seconds !== undefined) used.set(pid, seconds);
    }
  };
  const sum = (): number => [...used.values()].reduce((total, seconds) => total + seconds, 0);
  read();
  const before = sum();
  const sampling = setInterval(read, SAMPLE_MS);
  try {
    const result = await work();
    read();
    return { result, processorSeconds: sum() - before };
  } finally {
    clearInterval(sampling);
  }
}
