/** Waits for conditions that events of a page make true. */
export class PageWaits {
  private readonly wakers = new Set<() => void>();

  /** Resolves when `isDone` is true, the time is up, or the signal aborts. */
  async until(isDone: () => boolean, limitMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + limitMs;
    while (!isDone() && !signal.aborted && performance.now() < end) {
      let wake = (): void => {};
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const timer = setTimeout(wake, end - performance.now());
      this.wakers.add(wake);
      signal.addEventListener('abort', wake);
      await woken;
      clearTimeout(timer);
      this.wakers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  /** Has each condition that is waited for checked again. */
  wake(): void {
    for (const waker of this.wakers) waker();
  }
}

/** Runs in the page. */
export function pauseInPage(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
