import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

type StopReason =
  'start' | 'pause' | 'queue' | 'profile' | 'credential' | 'idle' | 'model' | 'caller' | 'check' | 'page' | 'steps';

/** Counts the time a session is active: paused time and the waits for its beginning, a browser, a profile, a secret, a page and a rate limit do not count (S1.46, decisions over the notes). */
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
  const limit = new ActiveLimit(clock, summary);
  try {
    return await limit.within(limitMs, work);
  } finally {
    limit.cancelTimer();
  }
}

/** What runs within its time: `end` cancels it. */
interface LimitedWork {
  deadline: number;
  end: () => void;
}

/**
 * A limit of active time for one piece of work after the other. The timer of one serves the next, which ends later: a session
 * of many short steps starts a timer now and then, not one a step.
 */
export class ActiveLimit {
  private current: LimitedWork | undefined;
  /** Wakes when the clock has counted to `wakesAt`, or later. */
  private timer: { scope: CancellationScope; wakesAt: number } | undefined;

  constructor(
    private readonly clock: ActiveClock,
    private readonly summary: string,
  ) {}

  /** Runs `work` and cancels it when the clock has counted `limitMs` more; then throws ActiveTimeUp. */
  async within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    let isTimeUp = false;
    const working = new CancellationScope({ cancellable: true });
    const end = (): void => {
      isTimeUp = true;
      working.cancel();
    };
    this.current = { deadline: this.clock.activeMs() + limitMs, end };
    this.watch(this.current.deadline);
    try {
      return await working.run(work);
    } catch (error) {
      if (isTimeUp && isCancellation(error)) throw new ActiveTimeUp();
      throw error;
    } finally {
      this.current = undefined;
    }
  }

  /** Milliseconds of active time that the work has left; undefined where none runs. */
  get leftMs(): number | undefined {
    return this.current && Math.max(0, this.current.deadline - this.clock.activeMs());
  }

  cancelTimer(): void {
    this.timer?.scope.cancel();
    this.timer = undefined;
  }

  private watch(deadline: number): void {
    if (this.timer !== undefined && this.timer.wakesAt <= deadline) return;
    this.cancelTimer();
    const timer = { scope: new CancellationScope({ cancellable: true }), wakesAt: deadline };
    this.timer = timer;
    const watching = timer.scope.run(async () => {
      while (this.current !== undefined) {
        const left = this.current.deadline - this.clock.activeMs();
        if (left <= 0) break;
        timer.wakesAt = this.current.deadline;
        await (this.clock.isStopped ? condition(() => !this.clock.isStopped) : sleep(left, { summary: this.summary }));
      }
      this.timer = undefined;
      this.current?.end();
    });
    // It ends by cancellation, or with its workflow; that is no failure of anything. The next work starts one of its own.
    watching.catch(() => {
      if (this.timer === timer) this.timer = undefined;
    });
  }
}
