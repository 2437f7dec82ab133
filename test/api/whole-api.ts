import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createApi } from '../../api/app';
import type { ApiApp, ApiParts } from '../../api/http/context';
import { openRelayGateway } from '../../api/relay/gateway';
import { createUpgradeListener } from '../../api/upgrades';
import { connectTemporal } from '../../service/connection/connect-temporal';
import { encryptionOptions } from '../../runtime/payloads/data-converter';
import { PayloadKeysSchema } from '../../runtime/payloads/payload-keys';
import { silent, startTestApi } from './fixture';

export type WholeApi = Awaited<ReturnType<typeof startWholeApi>>;

/** The API with everything that it may serve, also on real servers. */
export async function startWholeApi() {
  const api = await startTestApi();
  const servers: Server[] = [];
  const temporal = connectTemporal({ address: api.stack.temporalAddress, namespace: 'default' });
  const relay = openRelayGateway({ store: api.store, temporal, logger: silent, heartbeatMs: 60_000 });
  const guideFolder = mkdtempSync(join(tmpdir(), 'guide-'));
  writeFileSync(join(guideFolder, '404.html'), '<h1>There is no such page</h1>');
  // The compiled page: test/support/build.ts has built it.
  const pageFolder = join(__dirname, '..', '..', 'dist', 'web');
  const [codec] = encryptionOptions(PayloadKeysSchema.parse(`k=${'s'.repeat(32)}`)).dataConverter!.payloadCodecs!;

  return {
    parts: api.parts,
    store: api.store,
    databaseUrl: api.stack.databaseUrl,
    chromiumPath: api.stack.chromiumPath,
    create(callers: ApiParts['callers'], more: Partial<ApiParts> = {}): ApiApp {
      const payloadCodec = { codec: codec!, isAllowed: () => false };
      const health = { store: () => Promise.resolve(), temporal: () => Promise.resolve() };
      return createApi({ ...api.parts, health, relay, payloadCodec, guideFolder, pageFolder, callers, ...more });
    },
    async serve(app: ApiApp): Promise<number> {
      const server = createAdaptorServer({ fetch: app.fetch }) as Server;
      server.on('upgrade', createUpgradeListener(app, silent));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      return (server.address() as AddressInfo).port;
    },
    async stop() {
      await relay.close();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await temporal.connection.close();
      await api.stop();
      rmSync(guideFolder, { recursive: true });
    },
  };
}
