import { ServiceError } from '@temporalio/client';
import { DefaultLogger, Runtime, TransportError } from '@temporalio/worker';
import type { ModuleSettings } from '../runtime/module-settings';

/** Once per process, before anything else of Temporal. Signals are ours: a worker drains before it goes. */
export function installRuntime({ metricsAddress }: Pick<ModuleSettings, 'metricsAddress'>): void {
  Runtime.install({
    logger: new DefaultLogger('WARN'),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      ...(metricsAddress === undefined ? {} : { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
    shutdownSignals: [],
  });
}

/** Returns whether the error means that the server can't be reached now. */
export function isTemporalUnreachable(error: unknown): boolean {
  return error instanceof TransportError || error instanceof ServiceError;
}
