/** A reservation that is not renewed expires: its worker is gone, or frozen. */
const RESERVED_FOR_MS = 3000;

/** The capacity of the host and who has reserved it: no worker accepts a session without a reservation. */
export interface Reservations {
  readonly capacity: number;
  /** Reserves capacity for one more browser, or renews that; false when there is none. */
  reserve(id: string): boolean;
  /** Waits up to `waitMs` for a reservation; the first to ask gets the first that is free. */
  waitForReservation(id: string, patience: { waitMs: number; signal?: AbortSignal }): Promise<boolean>;
  cancel(id: string): void;
  /** Returns whether a Chrome may start now, and uses its reservation up. */
  consume(reservation: string | undefined): boolean;
  /** Called when capacity may have become free. */
  notifyFreed(): void;
}

interface HostUse {
  capacity: number;
  used: () => number;
  /** Browsers that start now, and how many may do so at once. */
  starting?: () => number;
  startsAtOnce?: number;
}

export function createReservations(host: HostUse): Reservations {
  const { capacity, used, starting = () => 0, startsAtOnce = capacity } = host;
  const expiries = new Map<string, number>();
  const hasCapacity = () => {
    for (const [id, until] of expiries) if (until < performance.now()) expiries.delete(id);
    return used() + expiries.size < capacity;
  };
  // A start is a second of processor time: many at once would leave none to the sessions that run.
  const mayReserve = () => hasCapacity() && starting() + expiries.size < startsAtOnce;
  const reserve = (id: string): boolean => {
    if (!mayReserve() && !expiries.has(id)) return false;
    expiries.set(id, performance.now() + RESERVED_FOR_MS);
    return true;
  };
  /** In the order of their calls. */
  const waiting = new Set<() => void>();
  const freed = (): void => waiting.forEach((look) => look());
  const nextChange = async (limitMs: number, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const timer = setTimeout(resolve, limitMs).unref();
    signal?.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
  };
  return {
    capacity,
    reserve,
    async waitForReservation(id, { waitMs, signal }) {
      const end = performance.now() + waitMs;
      while (signal?.aborted !== true) {
        if (reserve(id)) return true;
        const now = performance.now();
        if (now >= end) return false;
        // Reservations expire without notice.
        await nextChange(Math.max(1, Math.min(end, ...expiries.values()) - now), signal);
      }
      return false;
    },
    cancel(id) {
      if (expiries.delete(id)) freed();
    },
    consume(reservation) {
      const isFree = hasCapacity();
      return (reservation !== undefined && expiries.delete(reservation)) || isFree;
    },
    notifyFreed: freed,
  };
}
