import { z } from 'zod';
import { NetworkPolicySchema } from './origins';

/** The keeper's control interface: JSON over loopback HTTP with a bearer token that stands in the host's row. */

/** `POST /browsers`: starts a Chrome for the session, or takes the one it has, and opens the relay of this epoch. */
export const OpenBrowserRequestSchema = z.strictObject({
  sessionId: z.string(),
  epoch: z.int().positive(),
  headless: z.boolean(),
  /** The room that was kept for it; without one it takes what is free. */
  reservation: z.string().optional(),
  /** Where its Chrome may go; all of that lies with the Chrome that is started, not with one that runs. */
  network: NetworkPolicySchema.optional(),
});

/**
 * `PUT /reservations/{id}`: keeps room for one more browser a few seconds, and waits up to `waitMs` for it on a full host;
 * DELETE gives it back.
 */
export const ReservationSchema = z.object({ granted: z.boolean() });
export const ReservationQuerySchema = z.object({ waitMs: z.coerce.number().int().min(0).max(10_000).default(0) });

/** `PUT /reservations`: keeps the room of each of them longer. */
export const RenewReservationsRequestSchema = z.strictObject({ reservations: z.array(z.string().min(1)) });

/** `DELETE /browsers/{sessionId}`: with `upTo` it runs on where its newest holder has a newer epoch. */
export const CloseBrowserQuerySchema = z.object({ upTo: z.coerce.number().int().positive().optional() });

/** `POST /browsers/{sessionId}/relay`: cuts every older epoch off, then opens a port for this one. */
export const OpenRelayRequestSchema = z.strictObject({ epoch: z.int().positive() });

/** The header that tells a site that two requests are one and the same wish, and the only origins it is sent to. */
export const IdempotencyHeaderSchema = z.strictObject({
  header: z.string(),
  value: z.string(),
  origins: z.array(z.string()),
});
export type IdempotencyHeader = z.infer<typeof IdempotencyHeaderSchema>;

/**
 * `PUT /browsers/{sessionId}/commit-key`: from now on requests that may change something carry this key, or none any
 * more. It stays through another epoch and another keeper, until the holder of the browser takes it back.
 */
export const SetIdempotencyHeaderRequestSchema = z.strictObject({
  epoch: z.int().positive(),
  key: IdempotencyHeaderSchema.nullable(),
});

/** What a worker needs to reach a Chrome: `endpoint` is a CDP WebSocket address on the relay's port. */
export const BrowserAccessSchema = z.object({
  sessionId: z.string(),
  epoch: z.number(),
  endpoint: z.string(),
  pid: z.number(),
  /** The folder that downloads go to. */
  downloads: z.string(),
  /** True when this call started the Chrome; false when it was running already. */
  isNew: z.boolean(),
});
export type BrowserAccess = z.infer<typeof BrowserAccessSchema>;

/**
 * `GET /browsers/{sessionId}/quiet`: since when no page waits for the answer to a navigation; 0 while one does, null when
 * none ever did. Chrome holds back what a client says to a page that waits, so nobody can attach until it has its answer.
 * A page that is only read counts as waiting for a few seconds alone: it can be opened again.
 */
export const QuietSchema = z.object({ quietForMs: z.number().nullable() });

/** A dialog the keeper saw; `answeredBy` tells whether it had to answer because no worker was attached. */
export const DialogRecordSchema = z.object({
  at: z.string(),
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  url: z.string(),
  answeredBy: z.enum(['keeper', 'worker']),
  accepted: z.boolean().optional(),
});

/** A request of the page that may have changed something: every non-GET, and every navigation of a main frame. */
export const RequestRecordSchema = z.object({
  at: z.string(),
  method: z.string(),
  url: z.string(),
  resourceType: z.string(),
  /** Absent while no answer has come; `failure` says why there will be none. */
  status: z.number().optional(),
  failure: z.string().optional(),
});

/** An origin that the session's Chrome was kept from, when it first asked for it, and which guard it was. */
export const BlockedOriginSchema = z.object({
  at: z.string(),
  origin: z.string(),
  guard: z.enum(['allowed-origins', 'private-address']),
});
export type BlockedOrigin = z.infer<typeof BlockedOriginSchema>;

/** A Chrome ran and nobody saw what it did: the keeper was gone. Without `to` it is so still. */
export const GapSchema = z.object({ from: z.string(), to: z.string().optional() });

/**
 * `GET /browsers/{sessionId}/evidence?since=<ISO time>&browserId=<of one Chrome alone>`: also of Chromes that are gone.
 * That something is not in it proves something for a time that begins after `watchedSince` and meets no gap.
 */
export const KeeperEvidenceSchema = z.object({
  dialogs: z.array(DialogRecordSchema),
  requests: z.array(RequestRecordSchema),
  watchedSince: z.string(),
  gaps: z.array(GapSchema),
});
export type KeeperEvidence = z.infer<typeof KeeperEvidenceSchema>;

/** `GET /browsers`. */
export const BrowserListingSchema = z.object({
  sessionId: z.string(),
  pid: z.number(),
  epoch: z.number(),
  startedAt: z.string(),
  attachedWorkers: z.number(),
});
export type BrowserListing = z.infer<typeof BrowserListingSchema>;
