/** Work that is under way beside the commands and must be through before their batch returns. */
export interface Later {
  add(work: Promise<unknown>): void;
  /** Resolves when all of it is through; rejects as the first of it that failed did. */
  done(): Promise<void>;
}

export function createLater(): Later {
  const all: Promise<unknown>[] = [];
  return {
    add(work) {
      // It may fail long before anybody asks; unheard, that would end the process.
      work.catch(() => {});
      all.push(work);
    },
    async done() {
      // All are waited for, also when one fails: nothing may go on behind the next attempt's back.
      await Promise.allSettled(all);
      await Promise.all(all);
    },
  };
}
