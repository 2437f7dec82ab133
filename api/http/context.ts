import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { PayloadCodec } from '@temporalio/common';
import type { Context } from 'hono';
import type { RequestIdVariables } from 'hono/request-id';
import type { BrowserSessions } from '../../service/browser-sessions';
import type { Uploads } from '../../service/files/uploads';
import type { Effects } from '../../service/effects/effects';
import type { Profiles } from '../../service/profiles/profiles';
import type { Batches } from '../../service/batches/batches';
import type { Schedules } from '../../service/schedules/schedules';
import type { Operations } from '../../service/operations/operations';
import type { Recipes } from '../../service/recipes/recipes';
import type { Coordinator } from '../../service/coordinator/coordinator';
import type { Sessions } from '../../service/port/port';
import type { Logger } from '../../runtime/process';

/** How a route takes the socket of a request that asks for a WebSocket: it sets `connect`. */
export interface SocketUpgrade {
  connect?: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface ApiEnv {
  /** Of a server: without a socket (`app.request`) `c.env` is undefined. */
  Bindings: { incoming?: IncomingMessage; upgrade?: SocketUpgrade };
  Variables: RequestIdVariables & {
    /** `performance.now()` at the start of the request. */
    startedAt: number;
  };
}

export type ApiApp = OpenAPIHono<ApiEnv>;
export type ApiContext = Context<ApiEnv>;

/** Returns the address of the caller. Without a socket there is one caller only. */
export function clientAddress(c: ApiContext): string {
  return c.env?.incoming?.socket.remoteAddress ?? '';
}

/** Dependencies and settings of the API. */
export interface ApiParts {
  sessions: Sessions;
  browserSessions: BrowserSessions;
  uploads: Uploads;
  /** Sockets of browsers that are somebody else's; without it there are none. */
  relay?: Pick<RelayGateway, 'connect'> | undefined;
  recipes: Recipes;
  effects: Effects;
  profiles: Profiles;
  schedules: Schedules;
  batches: Batches;
  operations: Operations;
  coordinator: Pick<Coordinator, 'sessionHealth' | 'modulesHealth' | 'getModuleSessionManager'>;
  /** Each resolves when the system answers, and rejects with the reason when it does not. */
  health: { store(): Promise<void>; temporal(): Promise<void> };
  logger: Logger;
  /** Host names that are served; all if undefined. */
  names?: readonly string[] | undefined;
  /** Returns the page of a workflow in the Temporal UI, where the UI is known. */
  temporalLink?: ((workflowId: string) => string | undefined) | undefined;
  /** Returns where the demo shop is, for the examples of the documentation. */
  shop?: (() => string | undefined) | undefined;
  /** Folder of the built site of docs/; without one there is no /guide. */
  guideFolder?: string | undefined;
  /** Aborted when the process stops: streams close, and viewers reconnect with their cursor. */
  closing?: AbortSignal | undefined;
  streams?: Partial<StreamLimits> | undefined;
  /** Decrypts payloads for the Temporal UI, where they are encrypted. */
  payloadCodec?: PayloadCodecParts | undefined;
  /** Folder of the built page of web/; without one `/` leads to /docs. */
  pageFolder?: string | undefined;
  /** Required token, the key that lets a page act where there is no token, and the rate limit. */
  callers?:
    { token?: string | undefined; pageKey?: string | undefined; requestsPerMinute?: number | undefined } | undefined;
}

/** The codec endpoint that Temporal's UI and command line ask to read encrypted payloads. */
export interface PayloadCodecParts {
  codec: PayloadCodec;
  /** Whether pages of this origin, such as the Temporal UI, may ask. */
  isAllowed(origin: string): boolean;
}

/** Limits of all streams of this process; times in milliseconds. */
export interface StreamLimits {
  heartbeatMs: number;
  /** A viewer that reads nothing for so long is disconnected. */
  stallMs: number;
  /** Delay between attempts to read the store during an outage. */
  retryMs: number;
  /** Streams and waiting pages at the same time. */
  maxViewers: number;
  /** Of one address. */
  maxViewersPerAddress: number;
  /** A viewer that got no event for so long makes way for another of its address, and is to come back later. */
  idleMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  stallMs: 30_000,
  retryMs: 1000,
  maxViewers: 1000,
  maxViewersPerAddress: 500,
  idleMs: 5000,
};

/** The relay of one API process: its sockets, and its share of the maintenance of all calls. */
export interface RelayGateway {
  /** Takes the socket of a request that was let in. */
  connect(this: void, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets, so that clients reconnect to another process. Resolves when the store has recorded it. */
  close(): Promise<void>;
}
