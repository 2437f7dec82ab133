/** Work that is repeated until it is stopped. */
export interface Sweep {
  /** Resolves when the sweep that is under way is over; there is no other after it. */
  stop(): Promise<void>;
}

/** Does the work again and again with a pause between; what it fails with is told, and the next sweep tries anew. */
export function startSweep(pauseMs: number, work: () => Promise<void>, onError: (error: Error) => void): Sweep {
  let isStopped = false;
  let wake: () => void = () => {};
  const running = (async () => {
    while (!isStopped) {
      await work().catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))));
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pauseMs).unref();
      });
    }
  })();
  return {
    async stop() {
      isStopped = true;
      wake();
      await running;
    },
  };
}
