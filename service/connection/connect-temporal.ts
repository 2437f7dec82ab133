import { Client, Connection } from '@temporalio/client';
import { encryptionOptions } from '../../runtime/payloads/data-converter';
import type { TemporalServer } from '../../runtime/settings/temporal';

/** Opens no socket before the first call, and finds a server that was away soon after it is back. */
export function connectTemporal({ address, namespace, security, payloadKeys }: TemporalServer): Client {
  const connection = Connection.lazy({
    ...security,
    address,
    channelArgs: {
      // gRPC's own default waits up to two minutes between attempts.
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
    },
  });
  return new Client({ connection, namespace, ...encryptionOptions(payloadKeys) });
}

/** Rejects when the server does not answer in time, or does not have the namespace. */
export async function pingTemporal(temporal: Client, withinMs: number): Promise<void> {
  const { namespace } = temporal.options;
  await temporal.withDeadline(Date.now() + withinMs, () => temporal.workflowService.describeNamespace({ namespace }));
}
