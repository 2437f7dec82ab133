import { z } from 'zod';
import { ApprovedDeedSchema, DeedReportSchema } from './approved-request';
import { BrowserTypeSchema } from './browser-type';
import { NetworkGuardSchema, NetworkPolicySchema, SessionNetworkSchema } from './network-policy';

/** The keeper's control interface: JSON over loopback HTTP with the bearer token of the host's row. */

/** `POST /browsers`: starts a Chrome for the session, or takes the one it has, and opens the relay of this epoch. */
export const OpenBrowserRequestSchema = z.strictObject({
  sessionId: z.string(),
  epoch: z.int().positive(),
  headless: z.boolean(),
  /** Chromium without it. */
  browserType: BrowserTypeSchema.optional(),
  /** The capacity reserved for it; without a reservation it takes free capacity. */
  reservation: z.string().optional(),
  /** Given, the session gets a part of a Chrome without windows that sessions of this tenant share. */
  sharedBy: z.string().min(1).optional(),
  /** What the request says about where it may go; public addresses alone without it. */
  network: SessionNetworkSchema.optional(),
  /** How long a Chrome may take to answer, where that is less than the keeper's own limit. */
  startWithinMs: z.int().positive().optional(),
});

/**
 * `PUT /reservations/{id}`: reserves capacity for one more browser for a few seconds, and waits up to `waitMs` for it on a
 * full host; DELETE releases it.
 */
export const ReservationSchema = z.object({ granted: z.boolean() });
export const ReservationQuerySchema = z.object({ waitMs: z.coerce.number().int().min(0).max(10_000).default(0) });

/** `PUT /reservations`: extends each of them. */
export const RenewReservationsRequestSchema = z.strictObject({ reservations: z.array(z.string().min(1)) });

/**
 * `DELETE /browsers/{sessionId}`: with `upTo` it keeps running if its lease has a newer epoch. `keepEvidence` is for a
 * browser that is given up while its session goes on: what it did is asked for later.
 */
export const CloseBrowserQuerySchema = z.object({
  upTo: z.coerce.number().int().positive().optional(),
  keepEvidence: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});

/**
 * `POST /browsers/{sessionId}/relay`: cuts every older epoch off, then opens a port for this one. 423 while Chrome has not
 * taken in what the older ones have sent: it could still click.
 */
export const OpenRelayRequestSchema = z.strictObject({ epoch: z.int().positive() });

/** The header by which a site recognises a repeated request, and the only origins it is sent to. */
export const IdempotencyHeaderSchema = z.strictObject({
  header: z.string(),
  value: z.string(),
  origins: z.array(z.string()),
});
export type IdempotencyHeader = z.infer<typeof IdempotencyHeaderSchema>;

/**
 * `PUT /browsers/{sessionId}/commit-key`: requests that may change something carry this key from now on, or none
 * with null. It survives another epoch and another keeper, until the lease holder removes it.
 */
export const SetIdempotencyHeaderRequestSchema = z.strictObject({
  epoch: z.int().positive(),
  key: IdempotencyHeaderSchema.nullable(),
});

/**
 * `PUT /browsers/{sessionId}/deed`: from now on only what was approved leaves that may change something; with null all of it
 * again. Answers with what became of the deed before, null where this keeper knows of none: another may have died with it.
 */
export const SetDeedRequestSchema = z.strictObject({ epoch: z.int().positive(), deed: ApprovedDeedSchema.nullable() });
export const DeedAnswerSchema = z.object({ report: DeedReportSchema.nullable() });

/**
 * `PUT /browsers/{sessionId}/held-dialogs`: dialogs that open from now on wait for somebody, each so long, whether a worker is
 * attached or not; with null, and for another epoch, all are answered as always again.
 */
export const HoldDialogsRequestSchema = z.strictObject({
  epoch: z.int().positive(),
  forMs: z.int().positive().nullable(),
});

/** `POST /browsers/{sessionId}/dialog`: answers the dialog of this number, where one is named, and shows the one that is held now. */
export const AskDialogRequestSchema = z.strictObject({
  epoch: z.int().positive(),
  answer: z.strictObject({ dialog: z.int(), accept: z.boolean(), promptText: z.string().optional() }).optional(),
});

/** A dialog that waits for somebody. */
export const HeldDialogSchema = z.object({
  /** Counts the dialogs of a Chrome. */
  dialog: z.int(),
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  url: z.string(),
  /** Then it is answered as always. */
  until: z.string(),
});
export type HeldDialog = z.infer<typeof HeldDialogSchema>;
/** `isAnswered`: it was open until now. */
export const DialogAnswerSchema = z.object({ isAnswered: z.boolean(), held: HeldDialogSchema.nullable() });

/** `GET /browsers/{sessionId}/sockets`: addresses that its pages are connected to by WebSockets, without their queries. */
export const SocketsSchema = z.object({ sockets: z.array(z.string()) });

/** `PUT /browsers/{sessionId}/network`: answers with the policy that holds from now on. */
export const SetNetworkRequestSchema = z.strictObject({ epoch: z.int().positive(), network: SessionNetworkSchema });

/**
 * What a worker needs to reach a browser. `endpoint` of a Chrome is a CDP WebSocket address on the relay's port; with
 * `playwright` it is that of a Playwright server, whose pages end with the connection.
 */
export const BrowserAccessSchema = z.object({
  sessionId: z.string(),
  epoch: z.number(),
  /** Identifies this Chrome process; never reused. */
  browserId: z.string(),
  endpoint: z.string(),
  /** The type of a browser that Playwright's own launch drives; absent for a Chrome that its keeper keeps. */
  playwright: BrowserTypeSchema.optional(),
  /** The bearer token of this epoch, which the relay asks for. */
  token: z.string(),
  pid: z.number(),
  /** The folder that downloads go to. */
  downloads: z.string(),
  /** True when this call started the Chrome; false when it was running already. */
  isNew: z.boolean(),
  /** What the Chrome may reach now, and what of it the request has said. */
  policy: NetworkPolicySchema,
  network: SessionNetworkSchema,
});
export type BrowserAccess = z.infer<typeof BrowserAccessSchema>;

/**
 * `GET /browsers/{sessionId}/quiet`: the time since a page last waited for the answer to a navigation; 0 while one
 * waits, null when none ever did. Chrome delays every command to a page that waits, so a worker cannot attach before the
 * answer. A GET counts for a few seconds only: the page can be opened again.
 */
export const QuietSchema = z.object({ quietForMs: z.number().nullable() });

/** A dialog that the keeper saw; it answers itself where no worker is attached (`answeredBy`). */
export const DialogRecordSchema = z.object({
  at: z.string(),
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  url: z.string(),
  answeredBy: z.enum(['keeper', 'worker']),
  accepted: z.boolean().optional(),
});

/** What Chrome says when it can not connect to its egress process. */
export const NO_WAY_OUT = 'net::ERR_PROXY_CONNECTION_FAILED';

/** A request of the page that may have changed something: every non-GET, and every navigation of a main frame. */
export const RequestRecordSchema = z.object({
  at: z.string(),
  method: z.string(),
  url: z.string(),
  resourceType: z.string(),
  /** Absent before an answer; `failure` says why there will be none. */
  status: z.number().optional(),
  failure: z.string().optional(),
  /** Chrome never got to send it: its way out was closed. */
  isUnsent: z.literal(true).optional(),
});

/** `GET /browsers/{sessionId}/way-out`: answers once the egress process lets its Chrome out, with the time since when. */
export const WayOutSchema = z.object({ openSince: z.string() });

/** Names the guard in what the proxy answers in place of a site. */
export const GUARD_HEADER = 'x-surefoot-guard';

/** An origin that a guard blocked, with the time of the first request to it. */
export const BlockedOriginSchema = z.object({
  at: z.string(),
  origin: z.string(),
  guard: NetworkGuardSchema,
});
export type BlockedOrigin = z.infer<typeof BlockedOriginSchema>;

/** A time in which Chrome ran without a keeper that watched it. Without `to` it has not ended. */
export const GapSchema = z.object({ from: z.string(), to: z.string().optional() });

/**
 * `GET /browsers/{sessionId}/evidence?since=<ISO time>&browserId=<of one Chrome alone>`: also of Chromes that are gone.
 * The absence of an entry is a proof only for a time that begins after `watchedSince` and overlaps no gap.
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
