/** A reservation that nobody renews ends by itself: its worker is gone, or frozen. */
const KEPT_FOR_MS = 3000;

/** How many Chromes the host may have, and for whom room is kept: no worker takes a session that it has no room for. */
export interface Room {
  readonly capacity: number;
  /** Keeps room for one more browser, or keeps it longer; false when there is none. */
  reserve(id: string): boolean;
  cancel(id: string): void;
  /** Whether a Chrome may be started now, which uses its reservation up. */
  enter(reservation: string | undefined): boolean;
}

export function createRoom({ capacity, used }: { capacity: number; used: () => number }): Room {
  const kept = new Map<string, number>();
  const hasRoom = () => {
    for (const [id, until] of kept) if (until < performance.now()) kept.delete(id);
    return used() + kept.size < capacity;
  };
  return {
    capacity,
    reserve(id) {
      const isFree = hasRoom();
      if (!isFree && !kept.has(id)) return false;
      kept.set(id, performance.now() + KEPT_FOR_MS);
      return true;
    },
    cancel: (id) => void kept.delete(id),
    enter(reservation) {
      const isFree = hasRoom();
      return (reservation !== undefined && kept.delete(reservation)) || isFree;
    },
  };
}
