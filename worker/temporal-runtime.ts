import { DefaultLogger, Runtime } from '@temporalio/worker';

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
