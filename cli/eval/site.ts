import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

export interface Site {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the pages of a folder on the loopback address, with a memory of its own: `POST /records/NAME` stores a form or a
 * JSON value, `GET /records/NAME` lists what was stored. A form with a field `next` leads there afterwards.
 */
export async function serveSite(folder: string): Promise<Site> {
  const records = new Map<string, unknown[]>();
  const app = new Hono()
    .get('/favicon.ico', (c) => c.body(null, 204))
    .get('/records/:name', (c) => c.json(records.get(c.req.param('name')) ?? []))
    .post('/records/:name', async (c) => {
      const isJson = c.req.header('content-type')?.startsWith('application/json') === true;
      const body: unknown = isJson ? await c.req.json() : await c.req.parseBody({ all: true });
      const { next, ...record } = body as Record<string, unknown>;
      const name = c.req.param('name');
      records.set(name, [...(records.get(name) ?? []), record]);
      return typeof next === 'string' && next.startsWith('/') ? c.redirect(next, 303) : c.json(record, 201);
    })
    .get('*', serveStatic({ root: folder }));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
