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

/** The server could not be reached, which says nothing about whether it will be. */
export function isTemporalUnreachable(error: unknown): boolean {
  return error instanceof TransportError || error instanceof ServiceError;
}
