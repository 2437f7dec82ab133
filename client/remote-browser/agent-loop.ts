import { errorMessage } from '../../contracts/errors/error-message';
import type { StartConfig } from '../../contracts/sessions/config';
import {
  CANCELLED_ANSWER,
  type AgentLoopParams,
  type AgentLoopResult,
  type BrowserToolResult,
} from '../../contracts/tasks/agent-loop';
import type { ILogger } from '../../contracts/tasks/chat';
import { createStepReporter, failWithoutSession, loopSteps, type ReportFrame } from '../agent/loop-report';
import { randomKey } from '../http/random-key';
import { connectRelay } from './connect';
import type { ApiClient } from '../http/api-client';
import { ApiError } from '../http/api-error';
import type { ClientOptions } from '../http/client-options';
import { followEvents } from '../http/event-client';
import { retryOutage } from './retry-outage';

export interface AgentLoopOptions {
  /** Configures the session that the loop starts; the members of `agent` that the loop needs are added. */
  config?: StartConfig | undefined;
  /** Whose session it is. */
  tenant?: string | undefined;
  /** Gets what callbacks throw, and failures; the console where it is left out. */
  logger?: Pick<ILogger, 'error'> | undefined;
}

/**
 * S0.6 over HTTP alone: the loop runs in Surefoot's workers, and calls `executeTool` of this process over the relay's
 * socket. Never rejects: an error is a result with the status `error`.
 */
export async function runAgentLoop(
  server: ClientOptions & { rest: ApiClient },
  params: AgentLoopParams,
  options: AgentLoopOptions,
): Promise<AgentLoopResult> {
  const { logger = console } = options;
  const report = createStepReporter(params, logger);
  const isAborted = (): boolean => params.signal?.aborted === true;
  if (isAborted()) return failWithoutSession(report, CANCELLED_ANSWER);
  try {
    return await runSession(server, params, options, report);
  } catch (error) {
    const message = errorMessage(error);
    if (isAborted()) return failWithoutSession(report, CANCELLED_ANSWER);
    if (!(error instanceof ApiError)) logger.error(`The agent loop failed: ${message}`);
    return failWithoutSession(report, message);
  }
}

async function runSession(
  { rest, ...server }: ClientOptions & { rest: ApiClient },
  params: AgentLoopParams,
  { config = {}, tenant }: AgentLoopOptions,
  report: ReportFrame,
): Promise<AgentLoopResult> {
  const over = new AbortController();
  const signal = params.signal ?? over.signal;
  const ofTenant = tenant === undefined ? {} : { tenant };
  const pairing = await retryOutage(() => rest.pairBrowser({ label: 'runAgentLoop', ...ofTenant }), signal);
  const { browser_session_id: browserSessionId, session_token: sessionToken } = await retryOutage(
    () => rest.registerBrowser({ pairing_token: pairing.pairing_token }),
    signal,
  );
  let lost: string | undefined;
  const relay = connectRelay({
    api: server.api,
    sessionToken,
    name: 'runAgentLoop',
    execute: ({ tool, input }) => untilAborted(params.executeTool(tool, input), params.signal, cancel),
    onState(state) {
      if (state.kind !== 'ended' || over.signal.aborted) return;
      lost = `The connection that brings the calls of tools has ended: ${state.reason}.`;
      void cancel();
    },
  });
  let sessionId: string | undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = async (): Promise<void> => {
    const id = sessionId;
    if (id !== undefined) cancelling ??= retryOutage(() => rest.cancelSession(id), over.signal).catch(() => {});
    await cancelling;
  };
  const onAbort = (): void => void cancel();
  try {
    const agent = { approvalMode: 'yolo' as const, ...config.agent, executor: 'relay' as const, browserSessionId };
    const request = { steps: loopSteps(params, config), config: { ...config, agent }, ...ofTenant };
    const key = randomKey();
    ({ sessionId } = await retryOutage(() => rest.startSession(request, key), signal));
    params.signal?.addEventListener('abort', onAbort, { once: true });
    if (params.signal?.aborted === true || lost !== undefined) void cancel();
    for await (const frame of followEvents(sessionId, 'steps', server)) report(frame);
    const id = sessionId;
    const result = await retryOutage(() => rest.showLoopResult(id), over.signal);
    return lost === undefined || result.status === 'complete' ? result : { ...result, answer: lost };
  } finally {
    params.signal?.removeEventListener('abort', onAbort);
    over.abort();
    relay.close();
    // It expires by itself where the API does not hear this.
    await rest.revokeBrowserSession(browserSessionId, ofTenant).catch(() => {});
  }
}

/**
 * A call that is cut off is answered, because a session that is cancelled waits for the answer to a call that was sent;
 * and only when the session has been cancelled, because with the answer it would go on to the next call of the model.
 */
function untilAborted(
  answer: Promise<BrowserToolResult>,
  signal: AbortSignal | undefined,
  cancel: () => Promise<void>,
): Promise<BrowserToolResult> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const cutOff = (): void => void cancel().then(() => reject(new Error(CANCELLED_ANSWER)));
    if (signal.aborted) cutOff();
    signal.addEventListener('abort', cutOff, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', cutOff));
  });
}
