import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { Client } from '@temporalio/client';
import { createBrowserSessions } from '../service/browser-sessions';
import { connectTemporal, pingTemporal } from '../service/connection/connect-temporal';
import { openCoordinator, type Coordinator } from '../service/coordinator/coordinator';
import { createEffects } from '../service/effects/effects';
import { createOperations } from '../service/operations/operations';
import { createProfiles } from '../service/profiles/profiles';
import { createRecipes } from '../service/recipes/recipes';
import { createUploads } from '../service/files/uploads';
import { createBatches } from '../service/batches/batches';
import { createSchedules } from '../service/schedules/schedules';
import { createSessions } from '../service/sessions';
import { DEPENDENCY_TOKENS } from '../contracts/modules/dependencies';
import { createContainer } from '../runtime/container';
import { encryptionOptions } from '../runtime/payloads/data-converter';
import { addressToListenOn } from '../runtime/listen-address';
import { createModuleLogger } from '../runtime/module-settings';
import type { PartOptions } from '../runtime/part';
import { readStackFile } from '../runtime/settings/stack-file';
import type { Settings } from '../runtime/settings/settings';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { watchEventLoop } from '../store/stalls/watchdog';
import { openStoreWhenAvailable } from './open-store';
import { databaseModule, type Store } from '../store/store';
import { createApi } from './app';
import type { ApiParts, PayloadCodecParts } from './http/context';
import { openRelayGateway } from './relay/gateway';
import { createUpgradeListener } from './upgrades';

const PING_MS = 1400;
/** Closes idle sockets; the heartbeats of streams and the limit of long polls are shorter. */
const IDLE_SOCKET_MS = 60_000;
const GRACE_MS = 5000;
/** Beside the compiled code, where guide.js puts it. */
const GUIDE_FOLDER = join(__dirname, '..', 'guide');
/** Where web.js puts it. */
const PAGE_FOLDER = join(__dirname, '..', 'web');

/** The API. Resolves when it was shut down. */
export async function runApi({ settings, shutdown, onReady, isOwnProcess }: PartOptions): Promise<void> {
  const logger = createModuleLogger(settings);
  const host = await addressToListenOn({
    setting: 'HOST',
    host: settings.listen.host,
    missing: missingGuards(settings),
  });
  const stopWatching = watchEventLoop({ process: 'api', isOwnProcess, settings });
  const temporal = connectTemporal(settings.temporal);
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openStoreWhenAvailable));
  container.registerModule(membershipModule('frontend-api'));
  container.registerModule({
    moduleId: DEPENDENCY_TOKENS.SESSION_COORDINATOR,
    dependencies: [DEPENDENCY_TOKENS.DATABASE],
    factory: (parts) => {
      const store = parts.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
      return openCoordinator({
        store,
        temporal,
        maxSessions: settings.maxSessions,
        connections: settings.connections,
        logger,
      });
    },
    singleton: true,
    initializeAsync: true,
  });
  await container.initialize();
  const coordinator = container.resolve<Coordinator>(DEPENDENCY_TOKENS.SESSION_COORDINATOR);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
  const closing = new AbortController();
  const { heartbeatMs } = settings.relay;
  const relay = openRelayGateway({ store, temporal, logger, heartbeatMs });
  const parts = partsOf(settings, store, temporal, coordinator);
  const app = createApi({ ...parts, relay, logger, closing: closing.signal });

  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.setTimeout(IDLE_SOCKET_MS);
  server.on('upgrade', createUpgradeListener(app, logger));
  const { address, port } = await listen(server, { host, port: settings.listen.port });
  logger.info({ address }, 'the API listens');
  onReady({ port, address });

  const reason = await shutdown;
  logger.info({ reason }, 'the API ends');
  closing.abort();
  await Promise.all([relay.close(), close(server)]);
  await container.resolve<Membership>(MEMBERSHIP).leave();
  await coordinator.close();
  await Promise.allSettled([store.close(), temporal.connection.close()]);
  await stopWatching();
}

function partsOf(
  settings: Settings,
  store: Store,
  temporal: Client,
  coordinator: Coordinator,
): Omit<ApiParts, 'logger'> {
  return {
    sessions: createSessions({
      store,
      temporal,
      maxSessions: settings.maxSessions,
      floors: settings,
      connections: settings.connections,
      join: coordinator.join,
    }),
    browserSessions: createBrowserSessions({ store, lives: settings.relay }),
    uploads: createUploads({ store }),
    recipes: createRecipes({ store }),
    effects: createEffects({ store }),
    profiles: createProfiles({ store }),
    schedules: createSchedules({ store, temporal, floors: settings, connections: settings.connections }),
    batches: createBatches({ store, temporal, floors: settings, connections: settings.connections }),
    operations: createOperations({ store, keep: settings.keep, modelLimits: settings.modelLimits }),
    coordinator,
    health: { store: () => store.ping(), temporal: () => pingTemporal(temporal, PING_MS) },
    temporalLink: createTemporalLink(settings),
    // The stack file names it after this process is up, so it is read on use.
    shop: () => readStackFile(settings.home)?.shop,
    guideFolder: GUIDE_FOLDER,
    pageFolder: PAGE_FOLDER,
    names: [...LOOPBACK, ...settings.listen.names],
    payloadCodec: createCodecParts(settings),
    callers: { token: settings.apiToken, pageKey: settings.pageKey, requestsPerMinute: settings.requestsPerMinute },
  };
}

/** The local stack's own UI may ask, and the origins that the operator names. */
function createCodecParts({ home, temporal, codecOrigins }: Settings): PayloadCodecParts | undefined {
  const [codec] = encryptionOptions(temporal.payloadKeys).dataConverter?.payloadCodecs ?? [];
  if (codec === undefined) return undefined;
  return { codec, isAllowed: (origin) => codecOrigins.includes(origin) || origin === readStackFile(home)?.temporalUi };
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** What an API needs before other machines may reach it. */
function missingGuards({ apiToken, listen: { names } }: Settings): string[] {
  const token =
    'Set SUREFOOT_API_TOKEN to what callers must send (`openssl rand -hex 32` makes one): without it everybody who reaches the API may use it.';
  const served =
    'Set SUREFOOT_API_NAMES to the host names by which it may be called: without them a page of any site could give itself one (DNS rebinding).';
  return [...(apiToken === undefined ? [token] : []), ...(names.length === 0 ? [served] : [])];
}

/** Links to the Temporal UI. The stack file names the UI after this process is up, so it is read on use. */
function createTemporalLink({ home, stack, temporal }: Settings): NonNullable<ApiParts['temporalLink']> {
  const namespace = encodeURIComponent(temporal.namespace);
  let ui = stack?.temporalUi;
  return (workflowId) => {
    ui ??= readStackFile(home)?.temporalUi;
    if (ui === undefined) return undefined;
    return `${ui.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
  };
}

async function listen(
  server: Server,
  { host, port }: Pick<Settings['listen'], 'host' | 'port'>,
): Promise<{ address: string; port: number }> {
  server.listen({ host, port });
  await once(server, 'listening');
  const bound = server.address();
  const actual = typeof bound === 'object' && bound !== null ? bound.port : port;
  return { address: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, port: actual };
}

/** Closes the server, and after a grace period the connections that are still open. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
