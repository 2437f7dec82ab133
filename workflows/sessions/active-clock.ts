import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

type StopReason = 'pause' | 'queue' | 'idle' | 'model' | 'caller';

/** Counts the time a session is active: paused time and the waits for a browser and for a rate limit do not count (S1.46, decisions over the notes). */
export class ActiveClock {
  private since: number | undefined;
  private readonly stops = new Set<StopReason>();

  /** `spentMs` is what earlier runs of this session used. */
  constructor(private spentMs: number) {
    this.since = Date.now();
  }

  get isStopped(): boolean {
    return this.since === undefined;
  }

  activeMs(): number {
    return this.spentMs + (this.since === undefined ? 0 : Date.now() - this.since);
  }

  stop(reason: StopReason = 'pause'): void {
    this.stops.add(reason);
    this.spentMs = this.activeMs();
    this.since = undefined;
  }

  /** Goes on when nothing else stops it. */
  start(reason: StopReason = 'pause'): void {
    this.stops.delete(reason);
    if (this.stops.size === 0) this.since ??= Date.now();
  }
}

/** Thrown when the limit is reached; carries no failure of its own, the caller knows what it means. */
export class ActiveTimeUp extends Error {}

/** Runs `work` and cancels it when the clock has counted `limitMs` more; then throws ActiveTimeUp. */
export async function withinActiveTime<T>(
  clock: ActiveClock,
  limitMs: number,
  summary: string,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = clock.activeMs() + limitMs;
  let isTimeUp = false;
  const working = new CancellationScope({ cancellable: true });
  const watching = new CancellationScope({ cancellable: true });
  const watch = watching.run(async () => {
    for (;;) {
      const left = deadline - clock.activeMs();
      if (left <= 0) break;
      await (clock.isStopped ? condition(() => !clock.isStopped) : sleep(left, { summary }));
    }
    isTimeUp = true;
    working.cancel();
  });
  // The watch ends by cancellation in the usual case; that is no failure of anything.
  watch.catch(() => {});
  try {
    return await working.run(work);
  } catch (error) {
    if (isTimeUp && isCancellation(error)) throw new ActiveTimeUp();
    throw error;
  } finally {
    watching.cancel();
  }
}
