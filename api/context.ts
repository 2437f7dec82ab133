import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { RequestIdVariables } from 'hono/request-id';
import type { BrowserSessions } from '../client/browser-sessions';
import type { Coordinator } from '../client/coordinator/coordinator';
import type { Sessions } from '../client/port';
import type { Logger } from '../runtime/process';

export interface ApiEnv {
  Variables: RequestIdVariables & {
    /** By the clock of `performance.now`. */
    startedAt: number;
  };
}

export type ApiApp = OpenAPIHono<ApiEnv>;
export type ApiContext = Context<ApiEnv>;

/** What the API is built on. */
export interface ApiParts {
  sessions: Sessions;
  browserSessions: BrowserSessions;
  coordinator: Pick<Coordinator, 'sessionHealth' | 'modulesHealth' | 'getModuleSessionManager'>;
  /** Each resolves when that system answers, and rejects with the reason when it doesn't. */
  health: { store(): Promise<void>; temporal(): Promise<void> };
  logger: Logger;
  /** The host names it answers to; all of them when undefined. */
  names?: readonly string[] | undefined;
  /** Page of a workflow in the Temporal UI, where that is known. */
  temporalLink?: ((workflowId: string) => string | undefined) | undefined;
  /** Aborted when the process is asked to stop: streams are closed, and viewers come back with their cursor. */
  closing?: AbortSignal | undefined;
  streams?: Partial<StreamLimits> | undefined;
  /** Who may call, and how often; without it everybody, as often as they like. */
  callers?: { token?: string | undefined; requestsPerMinute?: number | undefined } | undefined;
}

/** Limits of all streams of this process; times in milliseconds. */
export interface StreamLimits {
  heartbeatMs: number;
  /** A viewer that reads nothing for so long is let go. */
  stallMs: number;
  /** Between two attempts to read a store that is away. */
  retryMs: number;
  /** As many streams at once and no more: another one is refused (ES001). */
  maxViewers: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  stallMs: 30_000,
  retryMs: 1000,
  maxViewers: 1000,
};
