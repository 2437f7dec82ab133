import { log } from '@temporalio/activity';
import { faultPoint } from '../../../runtime/fault-point';
import type { LeaseHolder } from '../../../store/browsers/leases';
import type { Store } from '../../../store/store';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { BrowserType } from '../../../contracts/browsers/browser-type';
import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { hostQueue, workerQueue } from '../../../contracts/queues';
import type { Lease } from '../../signatures/browser-activities';
import { EngineError, workerEnding } from '../../activity/failures';
import { attachWhenResponsive, isOfType } from './attach';
import type { Attachment } from './attachment';
import { AttachmentUsers } from './attachment-users';
import { Passkeys } from './passkeys';
import { createKeeperClient, type KeeperClient } from './keeper-client';
import { asConnectionLoss } from './playwright-errors';

export interface WorkerIdentity {
  hostId: string;
  workerId: string;
  /** Aborts when this worker is asked to end: it hands over its sessions and accepts no more. */
  ending?: AbortSignal;
}

interface AttachmentsOptions extends WorkerIdentity {
  /** The keeper's reservation for the browser that is being acquired. */
  takeReservation?: () => string | undefined;
}

/** Limit for attaching to a Chrome; the time in which its page waits for a response does not count. */
interface AttachLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** The attachments of this worker process, one per session. */
export interface Attachments {
  /**
   * Starts (or takes over) the session's Chrome on this host and attaches to it. One that accepts no client is given up
   * for another.
   */
  acquire(
    sessionId: string,
    holder: LeaseHolder,
    how: AttachLimits & {
      headless: boolean;
      browserType?: BrowserType | undefined;
      sharedBy?: string | undefined;
      network?: SessionNetwork | undefined;
      requestId?: string | undefined;
    },
  ): Promise<Lease>;
  /**
   * Returns the attachment for this lease, until `leave`. When another worker holds the lease, or an earlier attempt
   * in this worker does not leave, this worker takes over under a new epoch and the old connections are cut. With
   * `leavesWhenAborted` a later attempt may wait for this one to leave. `replacesWorker`: another one had it until now.
   */
  use(
    sessionId: string,
    holder: LeaseHolder,
    limits: AttachLimits & { leavesWhenAborted?: boolean },
  ): Promise<{ attachment: Attachment; lease: Lease; replacesWorker: boolean }>;
  leave(attachment: Attachment): void;
  /** The attachment of a session, if this worker has one. */
  current(sessionId: string): Attachment | undefined;
  /** Runs what must not meet an activity, or nothing while one uses the attachment; the next activity waits for it. */
  betweenUses<T>(attachment: Attachment, work: () => Promise<T>): Promise<T | undefined>;
  /** True once this worker is asked to end. */
  isEnding(): boolean;
  /**
   * The lease that says where the next commands go: to this worker, or from an ending worker to any other of its
   * host.
   */
  leaseOf(attachment: Attachment): Lease;
  /** The attachment, if this worker holds the lease. */
  held(sessionId: string, lease: Lease): Attachment | undefined;
  /**
   * Ends the session's Chrome on this host; with `upTo` only while its newest holder has that epoch or an older one.
   */
  release(sessionId: string, upTo?: number): Promise<void>;
  keeper(): Promise<KeeperClient>;
  closeAll(): Promise<void>;
}

/** A keeper without a heartbeat for so long is gone; its successor writes the row anew. */
const KEEPER_TIMEOUT_MS = 3000;

/** Of a session whose profile allows them: those of its newest checkpoint, as a new connection has none. */
async function openPasskeys(store: Store, sessionId: string, attachment: Attachment): Promise<Passkeys | undefined> {
  const row = await store.sessions.get(sessionId);
  if (row?.plan.profile?.passkeys !== true) return undefined;
  const kept = await store.checkpoints.get(sessionId);
  return await Passkeys.open(attachment, kept?.checkpoint.passkeys ?? []);
}

export function createAttachments(
  store: Store,
  { hostId, workerId, ending, takeReservation }: AttachmentsOptions,
): Attachments {
  const held = new Map<string, Attachment>();
  const users = new AttachmentUsers();
  const isEnding = (): boolean => ending?.aborted === true;

  async function keeper(): Promise<KeeperClient> {
    const host = await store.hosts.get(hostId);
    if (host === null || host.silentForMs > KEEPER_TIMEOUT_MS) {
      // Temporal retries until the supervisor has started a keeper.
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
    const throwIfEnding = (): void => {
      if (isEnding()) throw workerEnding();
    };
    const attachment = await attachWhenResponsive({
      keeper,
      open,
      sessionId,
      targetId,
      timeoutMs,
      signal,
      throwIfEnding,
    });
    await held.get(sessionId)?.close();
    held.set(sessionId, attachment);
    // Its Chrome died, or another worker took over: the session may never return here to close this attachment.
    attachment.onceLost(() => {
      if (held.get(sessionId) === attachment) held.delete(sessionId);
      void attachment.close();
    });
    try {
      await store.leases.setTarget(sessionId, epoch, await attachment.targetId());
      if (attachment.hasDevTools) attachment.passkeys = await openPasskeys(store, sessionId, attachment);
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
    async acquire(sessionId, holder, { headless, browserType, sharedBy, network, requestId, ...limits }) {
      if (isEnding()) throw workerEnding();
      // Before any await: activities begin in the order in which their reservations were granted.
      const reservation = takeReservation?.();
      const { epoch, targetId } = await store.leases.acquire(sessionId, holder, hostId, workerId, requestId);
      faultPoint('during-acquire', sessionId);
      const open = (client: KeeperClient) =>
        client.open(sessionId, epoch, {
          headless,
          browserType,
          sharedBy,
          reservation,
          network,
          startWithinMs: limits.timeoutMs,
        });
      const attachNow = () => attach(sessionId, epoch, open, targetId, limits);
      const attachment = await attachNow().catch(async (error: unknown) => {
        if (!isOfType(error, BROWSER_GONE)) throw error;
        log.warn(`${error.message} It is ended, and the session gets another browser.`, { sessionId });
        // It ends, because it could still do what an earlier worker has sent.
        await (await keeper()).giveUp(sessionId, epoch);
        return await attachNow();
      });
      return toLease(attachment);
    },
    async use(sessionId, holder, limits) {
      const stop = limits.leavesWhenAborted === true ? limits.signal : undefined;
      const earlier = held.get(sessionId);
      if (earlier !== undefined) await users.waitUntilReleased(earlier);
      const mine = held.get(sessionId);
      // The row decides, not the caller: another worker may have taken the next epoch and died before it cut this one
      // off.
      const row = await store.leases.get(sessionId);
      if (mine !== undefined) await users.untilFree(mine);
      if (mine?.isConnected === true && mine.epoch === row?.epoch && !users.has(mine)) {
        users.begin(mine, stop);
        return { attachment: mine, lease: toLease(mine), replacesWorker: false };
      }
      if (row === null || row.hostId !== hostId) {
        throw new EngineError('EX001', 'The browser of this session is no longer on this host.', {
          type: BROWSER_GONE,
        });
      }
      // The database may have answered late; an attempt that was given up meanwhile must not take over from its
      // successor.
      limits.signal.throwIfAborted();
      const { epoch, targetId } = await store.leases.acquire(sessionId, holder, hostId, workerId);
      faultPoint('during-takeover', sessionId);
      const attachment = await attach(
        sessionId,
        epoch,
        (client) => client.openRelay(sessionId, epoch),
        targetId,
        limits,
      );
      users.begin(attachment, stop);
      // A lease that the database had forgotten names no worker.
      const replacesWorker = row.workerId !== '' && row.workerId !== workerId;
      return { attachment, lease: toLease(attachment), replacesWorker };
    },
    leave: (attachment) => users.end(attachment),
    current: (sessionId) => held.get(sessionId),
    betweenUses: (attachment, work) => users.betweenUsers(attachment, work),
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
