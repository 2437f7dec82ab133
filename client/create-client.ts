import type { ClientOptions } from './http/client-options';
import type { FormatName, FrameOf } from '../contracts/events/formats/formats';
import type { AgentLoopParams, AgentLoopResult } from '../contracts/tasks/agent-loop';
import { runAgentLoop, type AgentLoopOptions } from './remote-browser/agent-loop';
import type { JsonSchema } from '../contracts/results/result-request';
import { createApiClient, type ApiClient } from './http/api-client';
import { followEvents, type EventClientOptions } from './http/event-client';
import {
  parseResult,
  toStartRequest,
  type ResultOf,
  type ResultSchema,
  type SessionRequest,
} from './http/typed-results';

export type FollowOptions<F extends FormatName> = Omit<EventClientOptions, keyof ClientOptions> & {
  /** S1's events (`stream`) where it is left out. */
  format?: F | undefined;
};

export interface WaitOptions<S extends ResultSchema> {
  signal?: AbortSignal | undefined;
  /** Of the session's result, as it was started with. */
  schema?: S | undefined;
}

export interface RunOptions {
  /** Sent again under the same key, the request starts nothing anew. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
}

type SessionDetails = Awaited<ReturnType<ApiClient['showSession']>>;

/** A session that has ended. `result` is null where it was to return none, or failed to. */
export type EndedSession<S extends ResultSchema> = Omit<SessionDetails, 'result'> & { result: ResultOf<S> | null };

export type Client = ReturnType<typeof createClient>;

/**
 * A client of Surefoot over HTTP, for Node, browsers and edge runtimes: the methods of the REST API and the live events of
 * a session. Each method rejects with an ApiError where the API refuses it.
 */
export function createClient({ api, token, fetch }: ClientOptions) {
  const rest = createApiClient(api, { token, fetch });

  /** Yields the events of a session, each once and in order, until it ends; reconnects by itself. */
  function follow<F extends FormatName = 'stream'>(
    sessionId: string,
    { format, ...options }: FollowOptions<F> = {},
  ): AsyncGenerator<FrameOf<F>, void> {
    return followEvents(sessionId, format ?? ('stream' as F), { ...options, api, token, fetch });
  }

  /**
   * Waits until a session has ended, however it ends, and resolves to its results; with the zod schema of its result, that
   * is parsed and has its type. Aborting the signal rejects.
   */
  async function waitForEnd<S extends ResultSchema = JsonSchema>(
    sessionId: string,
    { signal, schema }: WaitOptions<S> = {},
  ): Promise<EndedSession<S>> {
    for await (const _event of follow(sessionId, signal === undefined ? {} : { signal }));
    signal?.throwIfAborted();
    const { result, ...details } = await rest.showSession(sessionId);
    return { ...details, result: result === null ? null : await parseResult(schema, result) };
  }

  return {
    ...rest,
    /** Starts a session; `result.schema` may be a schema of zod. */
    startSession: (request: SessionRequest, key?: string) => rest.startSession(toStartRequest(request), key),
    follow,
    waitForEnd,
    /** Starts a session, waits until it has ended and resolves to its results; `result` has the type of `result.schema`. */
    async runSession<S extends ResultSchema = JsonSchema>(
      request: SessionRequest<S>,
      { key, signal }: RunOptions = {},
    ): Promise<EndedSession<S>> {
      const { sessionId } = await rest.startSession(toStartRequest(request), key);
      return await waitForEnd(sessionId, { signal, schema: request.result?.schema });
    },
    /**
     * S0.6: runs a task, with the seven common browser tools carried out by `executeTool` of this process. The API is all
     * that it needs. Tools run without approval unless `config.agent.approvalMode` requires it. Never rejects.
     */
    runAgentLoop: (params: AgentLoopParams, options: AgentLoopOptions = {}): Promise<AgentLoopResult> =>
      runAgentLoop({ api, token, fetch, rest }, params, options),
  };
}
