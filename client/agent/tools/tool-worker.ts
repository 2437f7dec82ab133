import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import {
  DefaultLogger,
  GracefulShutdownPeriodExpiredError,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { encryptionOptions } from '../../../runtime/payloads/data-converter';
import type { TemporalServer } from '../../../runtime/settings/temporal';
import type { BrowserToolResult } from '../../../contracts/tasks/agent-loop';
import type { ClientQuestion } from '../../../contracts/tools/client-question';
import { ClientCalls, type ClientCall, type RunClientTool } from './client-calls';

/** Activities that a session schedules on the queue of the process that runs its client tools. */
export interface ToolWorkerActivities {
  executeTool(call: ClientCall): Promise<BrowserToolResult>;
  askTool(call: ClientCall): Promise<ClientQuestion>;
}

export interface ToolWorker {
  /** Stops polling and aborts running tools; resolves when the worker has stopped. */
  stop(): Promise<void>;
}

interface ToolWorkerParts {
  temporal: TemporalServer;
  /** Polled by this process only. */
  queue: string;
  run: RunClientTool;
  /** Says whether a person is to be asked before a call runs; without it nobody is. */
  ask?: ((call: ClientCall, signal: AbortSignal) => Promise<ClientQuestion>) | undefined;
  /** Called when a running call is sent once more. */
  onRepeated?: ((call: ClientCall) => void) | undefined;
  /** How many tools may run at the same time. */
  maxCalls?: number;
}

const MAX_CALLS = 32;
const MAX_HEARTBEAT_MS = 500;
const FORCE_MS = 1000;

/** Starts a worker that runs activities of the private queue of this process, and no workflows. */
export async function startToolWorker({
  temporal,
  queue,
  run,
  ask = async () => ({}),
  onRepeated: sentAgain,
  maxCalls = MAX_CALLS,
}: ToolWorkerParts): Promise<ToolWorker> {
  installQuietRuntime();
  const calls = new ClientCalls(run, sentAgain);
  const connection = await NativeConnection.connect({ ...temporal.security, address: temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    ...encryptionOptions(temporal.payloadKeys),
    taskQueue: queue,
    activities: {
      executeTool: (call: ClientCall) => executeTool(calls, call),
      askTool: (call: ClientCall) => askTool(ask, call),
    } satisfies ToolWorkerActivities,
    maxConcurrentActivityTaskExecutions: maxCalls,
    maxHeartbeatThrottleInterval: '300 milliseconds',
    shutdownGraceTime: 0,
    shutdownForceTime: FORCE_MS,
  });
  const running = runUntilStopped(worker, connection);
  // `stop` rejects with this error.
  running.catch(() => {});
  return {
    async stop() {
      calls.stopAll('The process that runs this tool is stopping.');
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

async function runUntilStopped(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    // A forced shutdown is no error: the session schedules the calls that ran here again.
    if (!isForcedShutdown(error)) throw error;
  } finally {
    await connection.close();
  }
}

/** A worker that is still in use at the end of the grace period throws an IllegalStateError instead. */
export function isForcedShutdown(error: unknown): boolean {
  if (error instanceof GracefulShutdownPeriodExpiredError) return true;
  return (
    error instanceof Error && error.name === 'IllegalStateError' && error.message.startsWith('Worker still in use')
  );
}

/** Runs the activity. Only a cancellation, or the end of this process, stops the tool; a timed out attempt does not. */
async function executeTool(calls: ClientCalls, call: ClientCall): Promise<BrowserToolResult> {
  const stopHeartbeats = startHeartbeats(activityInfo().heartbeatTimeoutMs);
  const context = Context.current();
  context.cancellationSignal.addEventListener('abort', () => {
    if (context.cancellationDetails?.cancelRequested === true) calls.stop(call, 'The call was cancelled.');
  });
  try {
    return await Promise.race([calls.result(call), context.cancelled]);
  } finally {
    stopHeartbeats();
  }
}

async function askTool(ask: NonNullable<ToolWorkerParts['ask']>, call: ClientCall): Promise<ClientQuestion> {
  const stopHeartbeats = startHeartbeats(activityInfo().heartbeatTimeoutMs);
  const { cancellationSignal, cancelled } = Context.current();
  try {
    return await Promise.race([ask(call, cancellationSignal), cancelled]);
  } finally {
    stopHeartbeats();
  }
}

/** Sends three heartbeats within the timeout; Temporal answers them with cancellations. */
function startHeartbeats(timeoutMs: number | undefined): () => void {
  if (timeoutMs === undefined || timeoutMs <= 0) return () => {};
  heartbeat();
  const timer = setInterval(() => heartbeat(), Math.min(timeoutMs / 3, MAX_HEARTBEAT_MS));
  return () => clearInterval(timer);
}

/** Installs a quiet Temporal runtime, unless the caller has installed one: a process has one runtime. */
function installQuietRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
      shutdownSignals: [],
    });
  } catch (error) {
    if ((error as Error).name !== 'IllegalStateError') throw error;
  }
}
