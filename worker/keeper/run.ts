import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { OperatorNetwork } from '../../contracts/browsers/network-policy';
import { newBearerToken } from '../../runtime/bearer-token';
import { findBrowserProgram } from '../../runtime/browser-program';
import { findHeadlessShell } from '../../runtime/headless-shell';
import { announceReady, shutdownRequested, type Logger, type Readiness } from '../../runtime/process';
import type { Settings } from '../../runtime/settings/settings';
import { createBrowsers } from './browsers/browsers';
import { browserCapacity } from './browsers/capacity';
import { findChromium } from './chrome/chromium-path';
import { noteSandbox, WITHOUT_SANDBOX } from '../../runtime/sandbox-note';
import { defaultSandbox, findSandbox, type ChromeSandbox } from './chrome/sandbox';
import { KEEPER_DEADLINES } from './host/deadlines';
import { lockRoot } from './host/root-lock';
import { startHeartbeat } from './host/heartbeat';
import type { HostRegistry } from './host/host-registry';
import { createKeeperApp } from './server';
import { sweepBrowsersWithoutLease } from './end-browsers-without-lease';

interface KeeperDependencies {
  settings: Pick<Settings, 'home' | 'hostId' | 'chromiumPath' | 'maxBrowsers'> & { network: OperatorNetwork } & Partial<
      Pick<
        Settings,
        'headlessShellPath' | 'firefoxPath' | 'databaseUrl' | 'temporal' | 'listen' | 'usersFolder' | 'chromeSandbox'
      >
    >;
  registry: HostRegistry;
  logger: Logger;
  /** How many unused Chromes to hold ready. */
  poolSize?: number;
  /** By default Chromes outlive the keeper, for its successor to adopt. */
  endBrowsersOnStop?: boolean;
  /** Resolves when the keeper has to stop. */
  stopRequested?: Promise<unknown>;
  onReady?: (readiness: Readiness) => void;
}

/** Addresses of the engine's services that this process knows. */
function servicesOf({ databaseUrl, temporal, listen }: KeeperDependencies['settings']) {
  return [databaseUrl, temporal?.address, listen === undefined ? undefined : `127.0.0.1:${listen.port}`];
}

async function sandboxOf(
  { home, hostId, usersFolder, chromeSandbox }: KeeperDependencies['settings'],
  chromiumPath: string,
): Promise<ChromeSandbox> {
  if (usersFolder === undefined || chromeSandbox === undefined) return defaultSandbox();
  return await findSandbox({ chromiumPath, home, hostId, usersRoot: usersFolder, wanted: chromeSandbox });
}

/** Runs the keeper: adopts what an earlier one left, serves until it has to stop, and leaves the Chromes running. */
export async function runKeeper({
  settings,
  registry,
  logger,
  poolSize = 1,
  endBrowsersOnStop = false,
  stopRequested = shutdownRequested(),
  onReady = announceReady,
}: KeeperDependencies): Promise<void> {
  const chromiumPath = findChromium(settings.chromiumPath);
  const { hostId } = settings;
  const root = join(settings.home, 'browsers', hostId);
  lockRoot(root);
  const headlessPath = findHeadlessShell(chromiumPath, settings.headlessShellPath) ?? chromiumPath;
  // Most sessions are headless, and one sandbox serves both.
  const sandbox = await sandboxOf(settings, headlessPath);
  noteSandbox(root, sandbox);
  if (sandbox.kind === 'off') logger.warn({ reason: sandbox.reason }, WITHOUT_SANDBOX);
  const capacityFor = (running: number) => browserCapacity(settings.maxBrowsers, running);
  const browsers = await createBrowsers({
    root,
    chromiumPath,
    headlessPath,
    programOf: (browserType) => findBrowserProgram(browserType, settings),
    sandbox,
    poolSize,
    capacityFor,
    network: settings.network,
    home: settings.home,
    logger,
  });
  const token = newBearerToken();
  const server = createAdaptorServer({ fetch: createKeeperApp({ browsers, token }).fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const keeperUrl = `http://127.0.0.1:${port}`;
  await browsers.setServices([keeperUrl, ...servicesOf(settings)]);
  const heartbeat = startHeartbeat(
    registry,
    () => ({
      hostId,
      keeperUrl,
      token,
      capacity: browsers.reservations.capacity,
      browsers: browsers.list().length,
    }),
    logger,
  );
  await heartbeat.started;
  const leaseSweep = sweepBrowsersWithoutLease({ registry, hostId, browsers, logger });
  onReady({ port, address: keeperUrl });
  const { capacity } = browsers.reservations;
  logger.info(
    { keeperUrl, chromiumPath, headlessPath, browsers: browsers.list().length, capacity },
    'the keeper is ready',
  );

  await stopRequested;
  await Promise.all([heartbeat.stop(), leaseSweep.stop()]);
  await browsers.deedsOver(KEEPER_DEADLINES.deedEnd);
  server.close();
  await browsers.stop({ endBrowsers: endBrowsersOnStop });
  logger.info({ endBrowsersOnStop }, 'the keeper has stopped');
}
