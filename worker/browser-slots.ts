import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier } from '@temporalio/worker';
import type { KeeperClient } from '../activities/browser/attach/keeper-client';

/** The time between two requests to a full host, or one without a keeper. */
const ASK_AGAIN_MS = 200;
/** A keeper of a full host holds its answer for so long, so that capacity is used the moment it is free. */
const WAIT_MS = 5000;
const RENEW_EVERY_MS = 1000;

interface Permit {
  reservation: string;
}

/**
 * The slots of the queue that gives sessions their browser: a worker asks Temporal for a session only while its keeper
 * has reserved capacity for one more browser. So a session that finds every host full waits in the task queue itself, in the
 * order of its priority, and holds nothing.
 */
export interface BrowserSlots {
  readonly supplier: CustomSlotSupplier<ActivitySlotInfo>;
  /** The reservation for the activity that starts now. */
  takeReservation(): string | undefined;
  stop(): void;
}

export function createBrowserSlots(keeper: () => Promise<KeeperClient>): BrowserSlots {
  /** Kept while the worker polls, and until the activity that came takes it. */
  const renewed = new Set<string>();
  const begun: string[] = [];

  const isGranted = async (reservation: string, signal: AbortSignal): Promise<boolean> => {
    try {
      return await (await keeper()).reserve(reservation, { waitMs: WAIT_MS, signal });
    } catch {
      // No keeper, or no database to find it by: a host without one takes no session.
      return false;
    }
  };
  const renew = async (): Promise<void> => {
    if (renewed.size > 0) await (await keeper()).renewReservations([...renewed]);
  };
  const release = (reservation: string): void => {
    renewed.delete(reservation);
    keeper()
      .then((client) => client.cancelReservation(reservation))
      .catch(() => {});
  };
  // What could not be renewed now is in a second, or has ended by then.
  const renewal = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS);
  renewal.unref();

  return {
    supplier: {
      type: 'custom',
      async reserveSlot(_, signal): Promise<Permit> {
        const reservation = randomUUID();
        while (!(await isGranted(reservation, signal))) await delay(ASK_AGAIN_MS, undefined, { signal });
        renewed.add(reservation);
        return { reservation };
      },
      tryReserveSlot: () => null,
      markSlotUsed: ({ permit }) => void begun.push((permit as Permit).reservation),
      releaseSlot({ permit }) {
        const { reservation } = permit as Permit;
        const index = begun.indexOf(reservation);
        if (index >= 0) begun.splice(index, 1);
        release(reservation);
      },
    },
    takeReservation() {
      const reservation = begun.shift();
      if (reservation !== undefined) renewed.delete(reservation);
      return reservation;
    },
    stop: () => clearInterval(renewal),
  };
}
