import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import {
  DefaultLogger,
  GracefulShutdownPeriodExpiredError,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { ToolResult } from '../../../contracts/tasks/agent-loop';
import { ClientCalls, type ClientCall, type RunClientTool } from './client-calls';

/** What a session calls on the queue of the process that runs its client tools. */
export interface ClientActivities {
  executeTool(call: ClientCall): Promise<ToolResult>;
}

export interface ToolWorker {
  /** Takes nothing new and stops what runs; resolves when it has gone. */
  stop(): Promise<void>;
}

interface ToolWorkerParts {
  temporalAddress: string;
  namespace: string;
  /** Private to this process: whoever polls it is given the calls. */
  queue: string;
  run: RunClientTool;
  /** Told of a call that is at work here and was sent once more. */
  onRepeated?: ((call: ClientCall) => void) | undefined;
  /** How many tools may run side by side. */
  maxCalls?: number;
}

const MAX_CALLS = 32;
const MAX_HEARTBEAT_MS = 500;
const FORCE_MS = 1000;

/** Polls the private queue of this process until it is stopped; activities only, no workflow is run here. */
export async function startToolWorker({
  temporalAddress,
  namespace,
  queue,
  run,
  onRepeated: sentAgain,
  maxCalls = MAX_CALLS,
}: ToolWorkerParts): Promise<ToolWorker> {
  installQuietRuntime();
  const calls = new ClientCalls(run, sentAgain);
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: queue,
    activities: { executeTool: (call: ClientCall) => executeTool(calls, call) } satisfies ClientActivities,
    maxConcurrentActivityTaskExecutions: maxCalls,
    maxHeartbeatThrottleInterval: '300 milliseconds',
    shutdownGraceTime: 0,
    shutdownForceTime: FORCE_MS,
  });
  const running = runUntilStopped(worker, connection);
  // Told to whoever stops it; until then nobody listens.
  running.catch(() => {});
  return {
    async stop() {
      calls.stopAll('The process of the caller ends.');
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

async function runUntilStopped(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    // Stopped by force is stopped too: a busy process is late, and what ran here is asked for again.
    if (!isForcedShutdown(error)) throw error;
  } finally {
    await connection.close();
  }
}

/** Where something of the worker is still under way then, its run tells that instead of the time that is over. */
export function isForcedShutdown(error: unknown): boolean {
  if (error instanceof GracefulShutdownPeriodExpiredError) return true;
  return (
    error instanceof Error && error.name === 'IllegalStateError' && error.message.startsWith('Worker still in use')
  );
}

/** An attempt may end while its tool runs on: only a cancellation, or the end of this process, stops the tool. */
async function executeTool(calls: ClientCalls, call: ClientCall): Promise<ToolResult> {
  const stopBeating = startHeartbeats(activityInfo().heartbeatTimeoutMs);
  const context = Context.current();
  context.cancellationSignal.addEventListener('abort', () => {
    if (context.cancellationDetails?.cancelRequested === true) calls.stop(call, 'The call was cancelled.');
  });
  try {
    return await Promise.race([calls.result(call), context.cancelled]);
  } finally {
    stopBeating();
  }
}

/** Three beats within one timeout: a cancellation comes with one, and a single late one costs nothing. */
function startHeartbeats(timeoutMs: number | undefined): () => void {
  if (timeoutMs === undefined || timeoutMs <= 0) return () => {};
  heartbeat();
  const timer = setInterval(() => heartbeat(), Math.min(timeoutMs / 3, MAX_HEARTBEAT_MS));
  return () => clearInterval(timer);
}

/** A process has one runtime: where the caller has its own already, that one stays. */
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
