/** Limits of connections that stay open. */
export interface ConnectionLimits {
  /** Of all addresses together. */
  max: number;
  maxPerAddress: number;
  /** A connection that nothing was sent on for so long, in milliseconds, makes way for another of its own address. */
  idleMs: number;
}

/** A place of one connection. */
export interface ConnectionPlace {
  /** Something was sent on it: it is not idle now. */
  used(): void;
  leave(): void;
}

export interface ConnectionLimit {
  /**
   * Takes a place. At a limit the connection that was idle longest is ended for it: at that of the address one of its own,
   * at that of all one of the address that has most, so that nobody keeps the others out. Undefined where none makes way.
   */
  enter(address: string, end: () => void): ConnectionPlace | undefined;
}

interface Open {
  address: string;
  usedAt: number;
  end: () => void;
}

export function createConnectionLimit(
  { max, maxPerAddress, idleMs }: ConnectionLimits,
  now: () => number = () => performance.now(),
): ConnectionLimit {
  /** Idle longest first: one that is used goes to the end. */
  const all = new Set<Open>();
  const of = (address: string): Open[] => [...all].filter((open) => open.address === address);

  /** The connection that makes way for one of this address. */
  function nextToEnd(address: string): Open | undefined {
    const own = of(address);
    const [oldest] = own;
    const idle = oldest !== undefined && now() - oldest.usedAt >= idleMs ? oldest : undefined;
    if (own.length >= maxPerAddress) return idle;
    const greediest = of(addressOfMost(all));
    return greediest.length > own.length + 1 ? greediest[0] : idle;
  }

  return {
    enter(address, end) {
      if (all.size >= max || of(address).length >= maxPerAddress) {
        const ended = nextToEnd(address);
        if (ended === undefined) return undefined;
        all.delete(ended);
        ended.end();
      }
      const open: Open = { address, usedAt: now(), end };
      all.add(open);
      return {
        used() {
          if (!all.delete(open)) return;
          open.usedAt = now();
          all.add(open);
        },
        leave: () => void all.delete(open),
      };
    },
  };
}

function addressOfMost(all: ReadonlySet<Open>): string {
  const counts = new Map<string, number>();
  for (const { address } of all) counts.set(address, (counts.get(address) ?? 0) + 1);
  const [most = ['', 0] as const] = [...counts].sort(([, one], [, other]) => other - one);
  return most[0];
}
