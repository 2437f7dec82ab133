import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createShop, type Shop, type ShopOptions } from './app';

const HOST = '127.0.0.1';

interface RunningSite {
  url: string;
  port: number;
  close(): Promise<void>;
}

export type RunningShop = Shop & RunningSite;

/** Serves a new shop on the loopback address: on this port, or on a free one if it is taken or 0. */
export async function startShop({ port, ...options }: ShopOptions & { port?: number } = {}): Promise<RunningShop> {
  const shop = createShop(options);
  return { ...shop, ...(await startSite(shop.app.fetch, port)) };
}

export async function startSite(
  fetch: (request: Request) => Response | Promise<Response>,
  port = 0,
): Promise<RunningSite> {
  const server = createAdaptorServer({ fetch }) as Server;
  await listen(server, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  });
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${listening}`,
    port: listening,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Rejects with the error of the server: `once` listens for it. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, 'listening');
}
