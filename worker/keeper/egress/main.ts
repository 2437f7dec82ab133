import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { BlockedOrigin } from '../../../contracts/browsers/keeper';
import { bearerCheck, newBearerToken } from '../../../runtime/bearer-token';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';
import { readStackFile } from '../../../runtime/settings/stack-file';
import { listBrowserRecords } from '../chrome/browser-record';
import { EngineSchema, WaySchema, writeEgressFile, type Engine } from './egress-file';
import { engineEndpoints } from '../../../runtime/egress/engine-endpoints';
import { startOriginProxy, type OriginProxy } from './origin-proxy';

/**
 * The process through which the Chromes of a host reach the network. It outlives the keeper, as they do: a page that waits
 * for the answer to an order gets it, whatever becomes of the keeper. It ends when its keeper and all Chromes are gone.
 */
const CHECK_MS = 1000;
/** A Chrome that was not started for its way out within this time will not be. */
const UNUSED_MS = 120_000;
const MAX_BLOCKED = 500;

interface Way {
  proxy: OriginProxy;
  blocked: Map<string, Pick<BlockedOrigin, 'origin' | 'guard'>>;
  openedAt: number;
}

async function serve(root: string): Promise<void> {
  const ways = new Map<number, Way>();
  const token = newBearerToken();
  let engine: Engine | undefined;
  let ownPort = 0;

  const services = (): (string | undefined)[] => {
    const stack = engine?.home === undefined ? undefined : readStackFile(engine.home);
    return [...(engine?.services ?? []), stack?.api, stack?.temporalUi];
  };
  const ports = (): number[] => [
    ownPort,
    ...ways.keys(),
    ...listBrowserRecords(root).flatMap(({ marker }) => [marker?.relayPort ?? 0]),
  ];
  const endpoints = engineEndpoints({ services, ports });

  const isAllowed = bearerCheck(token);
  const app = new Hono();
  app.use(async (context, next) => {
    return isAllowed(context.req.header('authorization')) ? next() : context.body(null, 401);
  });
  app.put('/engine', async (context) => {
    engine = EngineSchema.parse(await context.req.json());
    return context.body(null, 204);
  });
  app.put('/ways/:port', async (context) => {
    const { policy } = WaySchema.parse(await context.req.json());
    const wanted = Number(context.req.param('port'));
    const known = ways.get(wanted);
    if (known !== undefined) {
      known.proxy.setPolicy(policy);
      return context.json({ port: wanted });
    }
    const proxy = await startOriginProxy({ policy, engine: endpoints, port: wanted });
    const blocked: Way['blocked'] = new Map();
    proxy.reportTo((one) => blocked.size < MAX_BLOCKED && blocked.set(`${one.guard} ${one.origin}`, one));
    ways.set(proxy.port, { proxy, blocked, openedAt: performance.now() });
    return context.json({ port: proxy.port });
  });
  app.get('/ways/:port/blocked', (context) => {
    const way = ways.get(Number(context.req.param('port')));
    return context.json([...(way?.blocked.values() ?? [])]);
  });
  app.delete('/ways/:port', (context) => {
    close(Number(context.req.param('port')));
    return context.body(null, 204);
  });

  function close(port: number): void {
    ways.get(port)?.proxy.close();
    ways.delete(port);
  }

  /** A keeper that was killed can close nothing. */
  function check(): void {
    if (!existsSync(root)) process.exit(0);
    const chromes = listBrowserRecords(root).flatMap(({ marker }) =>
      marker !== undefined && isAlive(marker) ? [marker.proxyPort] : [],
    );
    if (chromes.length === 0 && engine !== undefined && !isAlive(engine.keeper)) process.exit(0);
    for (const [port, { openedAt }] of ways)
      if (!chromes.includes(port) && performance.now() - openedAt > UNUSED_MS) close(port);
  }

  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ownPort = (server.address() as AddressInfo).port;
  const { pid } = process;
  const startedAt = new Date().toISOString();
  writeEgressFile(root, { pid, startTicks: startTicksOf(pid) ?? '', port: ownPort, token, startedAt });
  setInterval(check, CHECK_MS);
}

void serve(process.argv[2] ?? '');
