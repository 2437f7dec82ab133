import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { createSurefootServer, type McpOptions } from './server';

export interface McpHttpOptions extends McpOptions {
  /** 0 takes a free one. */
  port: number;
  /** What clients send as `Authorization: Bearer`; a new one unless it is given. */
  token: string | undefined;
}

export interface McpHttpServer {
  url: string;
  token: string;
  close(): Promise<void>;
}

interface Connection {
  transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

const HOST = '127.0.0.1';
const PATH = '/mcp';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const MOST_CONNECTIONS = 200;
/** A client that has gone away without a word; one that comes back gets 404 and connects anew, as the protocol has it. */
const IDLE_MS = 3_600_000;

/**
 * Serves clients over streamable HTTP, on this machine alone. Requires a token, and refuses pages of other sites: a page
 * could otherwise reach the server by a name that resolves to this machine.
 */
export async function startMcpHttp({ port, token = newToken(), ...options }: McpHttpOptions): Promise<McpHttpServer> {
  const connections = new Map<string, Connection>();
  const app = new Hono();
  app.use(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (!LOOPBACK.has(hostname)) return c.text(`This server is served as 127.0.0.1, not as ${hostname}.`, 403);
    const origin = c.req.header('origin');
    if (origin !== undefined && !LOOPBACK.has(URL.parse(origin)?.hostname ?? ''))
      return c.text(`A page of ${origin} may not use this server; pages of this machine and programs may.`, 403);
    return await next();
  });
  app.use(
    PATH,
    bearerAuth({
      token,
      noAuthenticationHeader: {
        message: 'Expected the header Authorization: Bearer with the token of this server, got none.',
      },
      invalidToken: { message: 'Expected the token of this server, got another one.' },
    }),
  );
  app.all(PATH, async (c) => {
    const id = c.req.header('mcp-session-id');
    if (id === undefined) return await (await newConnection()).handleRequest(c.req.raw);
    const known = connections.get(id);
    if (known === undefined) return c.text('There is no such MCP session (any more): initialize a new one.', 404);
    known.usedAt = Date.now();
    return await known.transport.handleRequest(c.req.raw);
  });
  app.notFound((c) => c.text(`There is nothing at ${c.req.path}; the server is at ${PATH}.`, 404));

  const newConnection = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    closeIdle();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void connections.set(id, { transport, usedAt: Date.now() }),
      onsessionclosed: (id) => void connections.delete(id),
    });
    await createSurefootServer(options).connect(transport);
    return transport;
  };
  const closeIdle = (): void => {
    const oldest = [...connections].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    const surplus = oldest.length - MOST_CONNECTIONS + 1;
    for (const [index, [id, { transport, usedAt }]] of oldest.entries()) {
      if (index >= surplus && Date.now() - usedAt < IDLE_MS) continue;
      connections.delete(id);
      void transport.close();
    }
  };

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen({ host: HOST, port });
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`,
    token,
    async close() {
      await Promise.all([...connections.values()].map(({ transport }) => transport.close()));
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
