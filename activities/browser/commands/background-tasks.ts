/** Work that runs beside the commands and ends before their batch returns. */
export interface BackgroundTasks {
  /** Tracks work that is under way. */
  track(work: Promise<unknown>): void;
  /** Defers work until the next command acts, or the batch ends. */
  defer(work: () => Promise<unknown>): void;
  /** Starts the deferred work. */
  startDeferred(): void;
  /** Resolves when all work has ended; rejects with the first failure. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(): BackgroundTasks {
  const started: Promise<unknown>[] = [];
  const waiting: (() => Promise<unknown>)[] = [];
  const tasks: BackgroundTasks = {
    track(work) {
      // It may fail long before `settle`; an unhandled rejection would end the process.
      work.catch(() => {});
      started.push(work);
    },
    defer: (work) => void waiting.push(work),
    startDeferred() {
      for (const work of waiting.splice(0)) tasks.track(work());
    },
    async settle() {
      tasks.startDeferred();
      // All work ends first, also when some of it fails: nothing may run beside the next attempt.
      await Promise.allSettled(started);
      await Promise.all(started);
    },
  };
  return tasks;
}
