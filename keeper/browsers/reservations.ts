/** A reservation that nobody renews ends by itself: its worker is gone, or frozen. */
const RESERVED_FOR_MS = 3000;

/** How many Chromes the host may have, and for whom room is kept: no worker takes a session that it has no room for. */
export interface Reservations {
  readonly capacity: number;
  /** Keeps room for one more browser, or keeps it longer; false when there is none. */
  reserve(id: string): boolean;
  /** The same, for who has the time to wait until there is room; those who came first get it first. */
  waitForReservation(id: string, patience: { waitMs: number; signal?: AbortSignal }): Promise<boolean>;
  cancel(id: string): void;
  /** Whether a Chrome may be started now, which uses its reservation up. */
  consume(reservation: string | undefined): boolean;
  /** To be told that there may be more room than before. */
  notifyFreed(): void;
}

export function createReservations({ capacity, used }: { capacity: number; used: () => number }): Reservations {
  const expiries = new Map<string, number>();
  const hasCapacity = () => {
    for (const [id, until] of expiries) if (until < performance.now()) expiries.delete(id);
    return used() + expiries.size < capacity;
  };
  const reserve = (id: string): boolean => {
    const isFree = hasCapacity();
    if (!isFree && !expiries.has(id)) return false;
    expiries.set(id, performance.now() + RESERVED_FOR_MS);
    return true;
  };
  /** In the order in which they came. */
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
        // What nobody renews ends without a word.
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
