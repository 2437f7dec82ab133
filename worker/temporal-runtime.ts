import { ServiceError } from '@temporalio/client';
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime, TransportError } from '@temporalio/worker';
import { addressToListenOn } from '../runtime/listen-address';
import type { ModuleSettings } from '../runtime/module-settings';

let isInstalled = false;

/**
 * Before anything else of Temporal. Signals are ours: a worker drains before it goes. There is one runtime in a process:
 * a second worker uses that of the first, and a program that has installed one of its own keeps it.
 */
export async function installRuntime(settings: MetricsSettings): Promise<void> {
  await checkMetricsAddress(settings);
  const { metricsAddress } = settings;
  if (isInstalled) return;
  isInstalled = true;
  try {
    install(metricsAddress);
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

type MetricsSettings = Pick<ModuleSettings, 'metricsAddress'> & Partial<Pick<ModuleSettings, 'metricsExposed'>>;

/** Metrics ask for no token. */
async function checkMetricsAddress({ metricsAddress, metricsExposed }: MetricsSettings): Promise<void> {
  if (metricsAddress === undefined) return;
  const host = metricsAddress.replace(/:\d+$/, '');
  const missing =
    metricsExposed === true
      ? []
      : ['Whoever reaches metrics may read them: set SUREFOOT_METRICS_EXPOSED=on where a firewall keeps others out.'];
  await addressToListenOn({ setting: 'SUREFOOT_METRICS', host, missing });
}

function install(metricsAddress: ModuleSettings['metricsAddress']): void {
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
