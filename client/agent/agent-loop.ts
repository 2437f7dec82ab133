import { randomUUID } from 'node:crypto';
import {
  CANCELLED_ANSWER,
  type AgentLoopParams,
  type AgentLoopResult,
  type RunAgentLoop,
} from '../../contracts/tasks/agent-loop';
import type { ILogger } from '../../contracts/tasks/chat';
import type { StartConfig } from '../../contracts/sessions/config';
import { createEncoder } from '../../contracts/events/formats/format';
import { stepsFormat } from '../../contracts/events/formats/steps';
import { ClientError } from '../../service/port/port';
import { openAgentConnection, type AgentConnection } from './connection';
import { createAgentLogger } from './logger';
import { createStepReporter, failWithoutSession, loopSteps, type ReportFrame } from './loop-report';
import { LoopResult } from '../../service/sessions/loop-result';
import { startToolWorker } from './tools/tool-worker';
import { errorMessage } from '../../contracts/errors/error-message';
import { followWithRetry, retryDuringOutage } from '../../service/connection/retry-outages';

interface LoopOptions {
  /** Configures each session that the loop starts; the members of `agent` that the loop needs are added. */
  config?: StartConfig | undefined;
  logger?: ILogger | undefined;
}

/**
 * Creates S0.6 on a Surefoot. The loop runs durably in its workers and calls `executeTool` of this process over a private
 * task queue. The function never rejects: an error is a result with the status `error`. Tools run without approval unless
 * `config.agent.approvalMode` requires it, since `executeTool` may ask by itself.
 */
export function createAgentLoop(connection: AgentConnection, options: LoopOptions = {}): RunAgentLoop {
  const { logger = createAgentLogger() } = options;
  return async (params) => {
    const report = createStepReporter(params, logger);
    const isAborted = (): boolean => params.signal?.aborted === true;
    if (isAborted()) return failWithoutSession(report, CANCELLED_ANSWER);
    try {
      return await runSession(connection, options.config ?? {}, params, report);
    } catch (error) {
      const message = errorMessage(error);
      if (isAborted()) return failWithoutSession(report, CANCELLED_ANSWER);
      if (!(error instanceof ClientError)) logger.error(`The agent loop failed: ${message}`);
      return failWithoutSession(report, message);
    }
  };
}

/** S0.6 with the settings of the environment: DATABASE_URL and TEMPORAL_ADDRESS, or those of the local stack. */
export async function runAgentLoop(params: AgentLoopParams): Promise<AgentLoopResult> {
  const connection = await openAgentConnection();
  try {
    return await createAgentLoop(connection)(params);
  } finally {
    await connection.close();
  }
}

async function runSession(
  connection: AgentConnection,
  config: StartConfig,
  params: AgentLoopParams,
  report: ReportFrame,
): Promise<AgentLoopResult> {
  const { sessions, temporal } = connection;
  const queue = `surefoot-client-${randomUUID()}`;
  const worker = await startToolWorker({
    temporal,
    queue,
    run: ({ name, args }) => params.executeTool(name, args),
  });
  const over = new AbortController();
  try {
    // A start whose response is lost is repeated with the same idempotency key.
    const request = toStartRequest(params, config, queue);
    const options = { idempotencyKey: queue };
    const { sessionId } = await retryDuringOutage(() => sessions.start(request, options), params.signal ?? over.signal);
    const cancel = (): void => void retryDuringOutage(() => sessions.cancel(sessionId), over.signal).catch(() => {});
    params.signal?.addEventListener('abort', cancel, { once: true });
    if (params.signal?.aborted === true) cancel();
    try {
      return await follow(connection, sessionId, report, over.signal);
    } finally {
      params.signal?.removeEventListener('abort', cancel);
    }
  } finally {
    over.abort();
    await worker.stop();
  }
}

async function follow(
  { sessions }: AgentConnection,
  sessionId: string,
  report: ReportFrame,
  signal: AbortSignal,
): Promise<AgentLoopResult> {
  const fold = createEncoder(stepsFormat);
  const result = new LoopResult();
  for await (const record of followWithRetry(sessions, sessionId, 0, signal)) {
    result.add(record);
    const frame = fold.encode(record);
    if (frame !== undefined) report(frame);
  }
  return result.result();
}

function toStartRequest(params: AgentLoopParams, config: StartConfig, clientQueue: string) {
  return {
    steps: loopSteps(params, config),
    config: { ...config, agent: { approvalMode: 'yolo', ...config.agent, executor: 'client', clientQueue } },
  };
}
