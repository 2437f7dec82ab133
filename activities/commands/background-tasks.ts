/** Work that goes on beside the commands and must be through before their batch returns. */
export interface BackgroundTasks {
  /** Under way already. */
  track(work: Promise<unknown>): void;
  /** To be started when there is time for it: while the next command acts, or at the end of the batch. */
  defer(work: () => Promise<unknown>): void;
  /** There is time now. */
  startDeferred(): void;
  /** Resolves when all of it is through; rejects as the first of it that failed did. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(): BackgroundTasks {
  const started: Promise<unknown>[] = [];
  const waiting: (() => Promise<unknown>)[] = [];
  const tasks: BackgroundTasks = {
    track(work) {
      // It may fail long before anybody asks; unheard, that would end the process.
      work.catch(() => {});
      started.push(work);
    },
    defer: (work) => void waiting.push(work),
    startDeferred() {
      for (const work of waiting.splice(0)) tasks.track(work());
    },
    async settle() {
      tasks.startDeferred();
      // All are waited for, also when one fails: nothing may go on behind the next attempt's back.
      await Promise.allSettled(started);
      await Promise.all(started);
    },
  };
  return tasks;
}
