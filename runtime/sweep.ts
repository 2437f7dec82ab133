/** Work that is repeated until it is stopped. */
export interface Sweep {
  /** Resolves when the sweep under way has ended; none follows. */
  stop(): Promise<void>;
}

/** Repeats the work with a pause between. A failure is reported to `onError`, and the next sweep tries again. */
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
