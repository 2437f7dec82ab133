import { ServiceError } from '@temporalio/client';
import { DefaultLogger, Runtime, TransportError } from '@temporalio/worker';

/**
 * How long a workflow task waits for the worker that has the workflow in its cache, before any other may take it. The
 * default of 10 s is what a killed worker would cost each of its sessions.
 */
export const STICKY_TIMEOUT = '300 milliseconds';

/** Once per process, before anything else of Temporal. Signals are ours: a worker drains before it goes. */
export function installRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('WARN'),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} } },
    shutdownSignals: [],
  });
}

/** The server could not be reached, which says nothing about whether it will be. */
export function isTemporalAway(error: unknown): boolean {
  return error instanceof TransportError || error instanceof ServiceError;
}
