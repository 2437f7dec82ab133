import type { BrowserType } from '../../../contracts/browsers/browser-type';
import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import { z } from 'zod';
import {
  BlockedOriginSchema,
  BrowserAccessSchema,
  DeedAnswerSchema,
  DialogAnswerSchema,
  KeeperEvidenceSchema,
  QuietSchema,
  ReservationSchema,
  SocketsSchema,
  WayOutSchema,
  type BlockedOrigin,
  type BrowserAccess,
  type HeldDialog,
  type IdempotencyHeader,
  type KeeperEvidence,
} from '../../../contracts/browsers/keeper';
import {
  NetworkPolicySchema,
  type NetworkPolicy,
  type SessionNetwork,
} from '../../../contracts/browsers/network-policy';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { HostRow } from '../../../store/browsers/leases';
import { EngineError, STALE_LEASE } from '../../activity/failures';

const CALL_LIMIT_MS = 25_000;
/** The Chrome runs, and answers neither its keeper nor its pages' events. */
export const BROWSER_BUSY = 'BrowserBusy';

interface BrowserRequest {
  headless: boolean;
  browserType?: BrowserType | undefined;
  sharedBy?: string | undefined;
  reservation?: string | undefined;
  network?: SessionNetwork | undefined;
  startWithinMs?: number | undefined;
}

type KeeperResponse = { error?: string; reason?: string } | undefined;

/** The keeper of one host, as that host's workers call it. */
export interface KeeperClient {
  open(sessionId: string, epoch: number, how: BrowserRequest): Promise<BrowserAccess>;
  /**
   * Cuts every older epoch off. Throws BrowserGone when the session has no Chrome here, and BROWSER_BUSY while its Chrome
   * has not taken in what the older ones have sent.
   */
  openRelay(sessionId: string, epoch: number): Promise<BrowserAccess>;
  /** Milliseconds since a page last waited for a response; 0 while one waits, null when none ever did. */
  quietForMs(sessionId: string): Promise<number | null>;
  /** What one Chrome of the session did since then, even if it is gone; without its id, what all of them did. */
  evidence(sessionId: string, since: Date, browserId: string | undefined): Promise<KeeperEvidence>;
  /** The origins that the network guards refused to the session's Chromes. */
  blockedOrigins(sessionId: string): Promise<BlockedOrigin[]>;
  /** Resolves once the session's Chrome can reach the network, with the time since when. */
  wayOutOpenSince(sessionId: string): Promise<Date>;
  setIdempotencyHeader(sessionId: string, epoch: number, key: IdempotencyHeader | null): Promise<void>;
  /** Addresses that its pages are connected to by WebSockets. */
  openSockets(sessionId: string): Promise<string[]>;
  /** Judges what leaves by the deed from now on, or not at all; resolves to what became of the deed before. */
  setDeed(sessionId: string, epoch: number, deed: ApprovedDeed | null): Promise<DeedReport | undefined>;
  /** Has the dialogs of its pages wait for somebody, each so long; null: for nobody. */
  holdDialogs(sessionId: string, epoch: number, forMs: number | null): Promise<void>;
  /** The dialog that is held. */
  heldDialog(sessionId: string, epoch: number): Promise<HeldDialog | undefined>;
  /** False where that dialog is not open any more. */
  answerDialog(
    sessionId: string,
    epoch: number,
    answer: { dialog: number; accept: boolean; promptText?: string | undefined },
  ): Promise<boolean>;
  /** Changes where its Chrome may go, and resolves to what holds now. */
  setNetwork(sessionId: string, epoch: number, network: SessionNetwork): Promise<NetworkPolicy>;
  /** Ends the Chrome if its newest holder has this epoch or an older one. */
  close(sessionId: string, upTo: number): Promise<void>;
  /** The same for a Chrome that answers no worker; what it did stays known. */
  giveUp(sessionId: string, upTo: number): Promise<void>;
  /** Reserves capacity for one more browser for a few seconds; false when the host is still full after `waitMs`. */
  reserve(reservation: string, limits: { waitMs: number; signal: AbortSignal }): Promise<boolean>;
  renewReservations(reservations: string[]): Promise<void>;
  cancelReservation(reservation: string): Promise<void>;
}

export function createKeeperClient(host: HostRow): KeeperClient {
  /** A keeper may die in the middle of an answer; workers wait for its successor. */
  async function send(
    method: string,
    path: string,
    { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
  ): Promise<{ status: number; answer: KeeperResponse }> {
    const limit = AbortSignal.timeout(CALL_LIMIT_MS);
    try {
      const response = await fetch(`${host.keeperUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${host.keeperToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      const { status } = response;
      return { status, answer: status === 204 ? undefined : ((await response.json()) as KeeperResponse) };
    } catch (cause) {
      const reason = (cause as { cause?: { code?: string } }).cause?.code ?? (cause as Error).message;
      const message = `The keeper of host ${host.hostId} can't be reached (${reason}); waiting for it.`;
      throw new EngineError('EX001', message, { isOutage: true, cause });
    }
  }

  async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const { status, answer } = await send(method, path, { body, ...(signal && { signal }) });
    if (status < 300) return answer;
    if (status === 404) {
      const reason = answer?.reason;
      throw new EngineError(
        'EX001',
        `The browser of this session is gone${reason === undefined ? '' : `: ${reason}`}.`,
        {
          type: BROWSER_GONE,
          details: reason === undefined ? {} : { reason },
        },
      );
    }
    if (status === 429) throw new EngineError('EX001', answer?.error ?? 'The host is full.', { isTemporary: true });
    if (status === 423)
      throw new EngineError('EX001', answer?.error ?? 'The browser does not answer.', {
        type: BROWSER_BUSY,
        isTemporary: true,
      });
    if (status === 409)
      throw new EngineError('EX001', answer?.error ?? 'A newer lease holds the browser.', {
        type: STALE_LEASE,
        isTemporary: true,
      });
    if (status === 408)
      throw new EngineError('EX001', answer?.error ?? 'The browser was not ready in time.', {
        isWorthAnotherTry: true,
      });
    if (status === 501) throw new EngineError('EX001', answer?.error ?? 'No such browser.', { isFinal: true });
    if (status === 504)
      throw new EngineError('EX001', answer?.error ?? 'The keeper waits for another process.', { isOutage: true });
    throw new EngineError('EX001', answer?.error ?? `The keeper answered ${status}.`, {
      suggestedAction: 'Run `npx surefoot doctor` on the host of the browser.',
    });
  }
  const path = (sessionId: string): string => `/browsers/${encodeURIComponent(sessionId)}`;
  return {
    open: async (sessionId, epoch, how) =>
      BrowserAccessSchema.parse(await call('POST', '/browsers', { sessionId, epoch, ...how })),
    openRelay: async (sessionId, epoch) =>
      BrowserAccessSchema.parse(await call('POST', `${path(sessionId)}/relay`, { epoch })),
    quietForMs: async (sessionId) => QuietSchema.parse(await call('GET', `${path(sessionId)}/quiet`)).quietForMs,
    async evidence(sessionId, since, browserId) {
      const query = new URLSearchParams({
        since: since.toISOString(),
        ...(browserId === undefined ? {} : { browserId }),
      });
      return KeeperEvidenceSchema.parse(await call('GET', `${path(sessionId)}/evidence?${query}`));
    },
    blockedOrigins: async (sessionId) =>
      z.array(BlockedOriginSchema).parse(await call('GET', `${path(sessionId)}/blocked`)),
    wayOutOpenSince: async (sessionId) =>
      new Date(WayOutSchema.parse(await call('GET', `${path(sessionId)}/way-out`)).openSince),
    setIdempotencyHeader: async (sessionId, epoch, key) => {
      await call('PUT', `${path(sessionId)}/commit-key`, { epoch, key });
    },
    openSockets: async (sessionId) => SocketsSchema.parse(await call('GET', `${path(sessionId)}/sockets`)).sockets,
    setDeed: async (sessionId, epoch, deed) =>
      DeedAnswerSchema.parse(await call('PUT', `${path(sessionId)}/deed`, { epoch, deed })).report ?? undefined,
    holdDialogs: async (sessionId, epoch, forMs) => {
      await call('PUT', `${path(sessionId)}/held-dialogs`, { epoch, forMs });
    },
    heldDialog: async (sessionId, epoch) =>
      DialogAnswerSchema.parse(await call('POST', `${path(sessionId)}/dialog`, { epoch })).held ?? undefined,
    answerDialog: async (sessionId, epoch, answer) =>
      DialogAnswerSchema.parse(await call('POST', `${path(sessionId)}/dialog`, { epoch, answer })).isAnswered,
    setNetwork: async (sessionId, epoch, network) =>
      NetworkPolicySchema.parse(await call('PUT', `${path(sessionId)}/network`, { epoch, network })),
    close: async (sessionId, upTo) => {
      await call('DELETE', `${path(sessionId)}${upTo === Infinity ? '' : `?upTo=${upTo}`}`);
    },
    giveUp: async (sessionId, upTo) => {
      await call('DELETE', `${path(sessionId)}?upTo=${upTo}&keepEvidence=true`);
    },
    async reserve(reservation, { waitMs, signal }) {
      const answer = await call('PUT', `/reservations/${reservation}?waitMs=${waitMs}`, undefined, signal);
      return ReservationSchema.parse(answer).granted;
    },
    renewReservations: async (reservations) => {
      await call('PUT', '/reservations', { reservations });
    },
    cancelReservation: async (reservation) => {
      await call('DELETE', `/reservations/${reservation}`);
    },
  };
}
