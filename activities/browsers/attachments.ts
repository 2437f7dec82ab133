import { faultPoint } from '../../runtime/fault-point';
import type { LeaseHolder } from '../../store/browsers/leases';
import type { Store } from '../../store/store';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import type { NetworkPolicy } from '../../contracts/browsers/origins';
import { hostQueue, workerQueue } from '../../contracts/queues';
import type { Lease } from '../browser-activities';
import { EngineError, workerEnding } from '../failures';
import { attachWhenResponsive } from './attach';
import type { Attachment } from './attachment';
import { AttachmentUsers } from './attachment-users';
import { createKeeperClient, type KeeperClient } from './keeper-client';
import { asConnectionLoss } from './playwright-errors';

export interface WorkerIdentity {
  hostId: string;
  workerId: string;
  /** Aborts when this worker is asked to end: it hands over what it holds and takes nothing new. */
  ending?: AbortSignal;
}

interface AttachmentsOptions extends WorkerIdentity {
  /** The room that this host's keeper has kept for the browser that is acquired now. */
  takeReservation?: () => string | undefined;
}

/** How long a Chrome may take to be attached to; that its page waits for an answer is no fault of it, and not counted. */
interface AttachLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** The attachments of this worker process, one per session it drives. */
export interface Attachments {
  /** Starts (or takes over) the session's Chrome on this host and attaches to it. */
  acquire(
    sessionId: string,
    taker: LeaseHolder,
    how: AttachLimits & { headless: boolean; network?: NetworkPolicy | undefined; requestId?: string | undefined },
  ): Promise<Lease>;
  /**
   * The attachment for this lease, until `leave`. When another worker held it, or an earlier attempt in this worker that
   * is not through yet and does not leave, takes over: new epoch, old sockets cut. `leavesWhenAborted` says that whoever
   * asks would leave, so that an attempt after it may wait for that.
   */
  use(
    sessionId: string,
    taker: LeaseHolder,
    patience: AttachLimits & { leavesWhenAborted?: boolean },
  ): Promise<{ attachment: Attachment; lease: Lease }>;
  leave(attachment: Attachment): void;
  /** This worker is asked to end. */
  isEnding(): boolean;
  /** Where the next commands for this attachment go: here, or, from a worker that ends, to any other of its host. */
  leaseOf(attachment: Attachment): Lease;
  /** What this worker is attached to now, if it is the holder. */
  held(sessionId: string, lease: Lease): Attachment | undefined;
  /** Ends its Chrome on this host; with `upTo` only one whose newest holder has this epoch, or an older one. */
  release(sessionId: string, upTo?: number): Promise<void>;
  keeper(): Promise<KeeperClient>;
  closeAll(): Promise<void>;
}

/** A keeper that has not beaten for so long is gone; its successor will write the row anew. */
const KEEPER_TIMEOUT_MS = 3000;

export function createAttachments(
  store: Store,
  { hostId, workerId, ending, takeReservation }: AttachmentsOptions,
): Attachments {
  const held = new Map<string, Attachment>();
  const inUse = new AttachmentUsers();
  const isEnding = (): boolean => ending?.aborted === true;

  async function keeper(): Promise<KeeperClient> {
    const host = await store.hosts.get(hostId);
    if (host === null || host.silentForMs > KEEPER_TIMEOUT_MS) {
      // Retried by Temporal until the supervisor has brought one back.
      throw Object.assign(new Error(`No keeper is running on host ${hostId}.`), { code: 'ECONNREFUSED' });
    }
    return createKeeperClient(host);
  }

  async function attach(
    sessionId: string,
    epoch: number,
    open: (client: KeeperClient) => ReturnType<KeeperClient['openRelay']>,
    targetId: string | null,
    { timeoutMs, signal }: AttachLimits,
  ): Promise<Attachment> {
    const access = await open(await keeper());
    const mayGoOn = (): void => {
      if (isEnding()) throw workerEnding();
    };
    const attachment = await attachWhenResponsive(access, {
      keeper,
      targetId,
      timeoutMs,
      signal,
      throwIfEnding: mayGoOn,
    });
    await held.get(sessionId)?.close();
    held.set(sessionId, attachment);
    // Its Chrome died or another worker took it over: the session may never come back here to have this one closed.
    attachment.onceLost(() => {
      if (held.get(sessionId) === attachment) held.delete(sessionId);
      void attachment.close();
    });
    try {
      await store.leases.setTarget(sessionId, epoch, await attachment.targetId());
    } catch (error) {
      throw await asConnectionLoss(error, attachment);
    }
    return attachment;
  }

  const toLease = ({ epoch, browserId }: Attachment): Lease => ({
    hostId,
    hostQueue: hostQueue(hostId),
    workerQueue: isEnding() ? hostQueue(hostId) : workerQueue(workerId),
    epoch,
    browserId,
  });

  return {
    keeper,
    isEnding,
    leaseOf: toLease,
    async acquire(sessionId, taker, { headless, network, requestId, ...patience }) {
      if (isEnding()) throw workerEnding();
      // Before anything is waited for: activities begin in the order in which their room was given out.
      const reservation = takeReservation?.();
      const { epoch, targetId } = await store.leases.acquire(sessionId, taker, hostId, workerId, requestId);
      faultPoint('during-acquire', sessionId);
      const open = (client: KeeperClient) => client.open(sessionId, epoch, { headless, reservation, network });
      return toLease(await attach(sessionId, epoch, open, targetId, patience));
    },
    async use(sessionId, taker, patience) {
      const stop = patience.leavesWhenAborted === true ? patience.signal : undefined;
      const earlier = held.get(sessionId);
      if (earlier !== undefined) await inUse.waitUntilReleased(earlier);
      const mine = held.get(sessionId);
      // The row decides, not the caller: another worker may have taken the next epoch and died before it cut us off.
      const row = await store.leases.get(sessionId);
      if (mine?.isConnected === true && mine.epoch === row?.epoch && !inUse.has(mine)) {
        inUse.begin(mine, stop);
        return { attachment: mine, lease: toLease(mine) };
      }
      if (row === null || row.hostId !== hostId) {
        throw new EngineError('EX001', 'The browser of this session is not on this host any more.', {
          type: BROWSER_GONE,
        });
      }
      // It may have waited long for the database: one that was given up meanwhile takes nothing from its successor.
      patience.signal.throwIfAborted();
      const { epoch, targetId } = await store.leases.acquire(sessionId, taker, hostId, workerId);
      faultPoint('during-takeover', sessionId);
      const attachment = await attach(
        sessionId,
        epoch,
        (client) => client.openRelay(sessionId, epoch),
        targetId,
        patience,
      );
      inUse.begin(attachment, stop);
      return { attachment, lease: toLease(attachment) };
    },
    leave: (attachment) => inUse.end(attachment),
    held(sessionId, lease) {
      const mine = held.get(sessionId);
      return mine?.isConnected === true && mine.epoch === lease.epoch ? mine : undefined;
    },
    async release(sessionId, upTo = Infinity) {
      await (await keeper()).close(sessionId, upTo);
      const mine = held.get(sessionId);
      if (mine !== undefined && mine.epoch <= upTo) {
        await mine.close();
        held.delete(sessionId);
      }
      await store.leases.release(sessionId, { hostId, upTo });
    },
    async closeAll() {
      await Promise.all([...held.values()].map((attachment) => attachment.close()));
      held.clear();
    },
  };
}
