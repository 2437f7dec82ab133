/** Work that goes on beside the commands and must be through before their batch returns. */
export interface Later {
  /** Under way already. */
  add(work: Promise<unknown>): void;
  /** To be started when there is time for it: while the next command acts, or at the end of the batch. */
  put(work: () => Promise<unknown>): void;
  /** There is time now. */
  start(): void;
  /** Resolves when all of it is through; rejects as the first of it that failed did. */
  done(): Promise<void>;
}

export function createLater(): Later {
  const started: Promise<unknown>[] = [];
  const waiting: (() => Promise<unknown>)[] = [];
  const later: Later = {
    add(work) {
      // It may fail long before anybody asks; unheard, that would end the process.
      work.catch(() => {});
      started.push(work);
    },
    put: (work) => void waiting.push(work),
    start() {
      for (const work of waiting.splice(0)) later.add(work());
    },
    async done() {
      later.start();
      // All are waited for, also when one fails: nothing may go on behind the next attempt's back.
      await Promise.allSettled(started);
      await Promise.all(started);
    },
  };
  return later;
}
