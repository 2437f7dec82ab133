import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkPolicy } from '../../../contracts/browsers/network-policy';
import { endpointOf, type Endpoint } from '../../../contracts/browsers/origins';
import { GUARD_HEADER, type BlockedOrigin } from '../../../contracts/browsers/keeper';
import {
  checkEndpoint,
  lookupOf,
  resolveBySystem,
  type Resolve,
  type EndpointCheck,
} from '../../../runtime/egress/checked-addresses';
import type { EngineEndpoints } from '../../../runtime/egress/engine-endpoints';

/** The only way out of one Chrome: it passes what the session may reach, and reports what it blocks. */
export interface OriginProxy {
  readonly port: number;
  /** Changes what passes from now on. */
  setPolicy(policy: NetworkPolicy): void;
  /** Who hears of what is blocked. */
  reportTo(report: (blocked: Blocked) => void): void;
  close(): void;
}

type Blocked = Pick<BlockedOrigin, 'origin' | 'guard'>;

interface ProxyOptions {
  policy: NetworkPolicy;
  engine: EngineEndpoints;
  /** 0 for any; an adopted Chrome knows its proxy by this port. */
  port: number;
  resolve?: Resolve;
}

const LISTEN_TRIES = 40;
const LISTEN_PAUSE_MS = 50;

/** Chrome calls these services itself, in spite of its flags; blocking them is not reported. */
const CHROME_SERVICES =
  /^(?:clients\d*\.google\.com|accounts\.google\.com|(?:update|optimizationguide-pa|safebrowsing|content-autofill)\.googleapis\.com|edgedl\.me\.gvt1\.com|redirector\.gvt1\.com)$/;

/** Headers of one connection, which are not forwarded. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

const SAFE_METHOD = /^(?:GET|HEAD|OPTIONS)$/i;

export async function startOriginProxy({
  policy: firstPolicy,
  engine,
  port,
  resolve = resolveBySystem,
}: ProxyOptions): Promise<OriginProxy> {
  let policy = firstPolicy;
  let report: (blocked: Blocked) => void = () => {};
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };

  const check = async (endpoint: Endpoint, scheme: 'http' | 'https'): Promise<EndpointCheck> => {
    const verdict = await checkEndpoint(endpoint, { policy, engine, resolve });
    if (verdict.kind === 'blocked' && !CHROME_SERVICES.test(endpoint.host))
      report({ origin: originOf(endpoint, scheme), guard: verdict.guard });
    return verdict;
  };

  const server = createServer((request, response) => {
    void forward(request, response, check).catch((error: unknown) => reportUnanswered(request, response, error));
  });
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    void tunnel(request, client, head, check, keep).catch(() => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  // Chrome tunnels WebSockets.
  server.on('upgrade', (_request, client: Socket) => client.destroy());
  // Streams may take any time.
  server.requestTimeout = 0;
  server.timeout = 0;
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    setPolicy: (next) => (policy = next),
    reportTo: (next) => (report = next),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type CheckEndpoint = (endpoint: Endpoint, scheme: 'http' | 'https') => Promise<EndpointCheck>;

/**
 * Forwards one plain HTTP request. It is sent once: a connection that breaks before the response is reported as that.
 */
async function forward(request: IncomingMessage, response: ServerResponse, judge: CheckEndpoint): Promise<void> {
  const endpoint = endpointOf(request.url ?? '');
  if (endpoint?.protocol !== 'http:') return refuse(response, 400, 'This is the proxy of one browser.');
  const verdict = await judge(endpoint, 'http');
  if (verdict.kind === 'blocked') {
    request.resume();
    const sentence = `${originOf(endpoint, 'http')} is not allowed in this session (${verdict.guard}).`;
    return refuse(response, 403, sentence, { [GUARD_HEADER]: verdict.guard });
  }
  const url = new URL(request.url ?? '');
  const headers = throughHeaders(request.rawHeaders).filter(([name]) => !/^host$/i.test(name));
  const onward = send({
    host: endpoint.host.replace(/^\[|\]$/g, ''),
    port: endpoint.port,
    lookup: lookupOf(verdict.addresses),
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: [...headers, ['Host', url.host], ['Connection', 'close']].flat(),
    agent: false,
  });
  response.on('close', () => onward.destroy());
  onward.on('error', (error) => reportUnanswered(request, response, error));
  onward.on('response', (answer) => {
    // Chrome repeats a request by itself when a reused connection breaks, so each request gets a new connection.
    const shown = [...throughHeaders(answer.rawHeaders), ['Connection', 'close']].flat();
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, shown);
    answer.on('error', () => response.destroy());
    answer.on('aborted', () => response.destroy());
    answer.pipe(response);
  });
  request.pipe(onward);
}

/**
 * Without a response from the site, a navigation must fail as it would without a proxy, so the connection is closed.
 * Chrome sends a request again when a connection closes that it had opened in advance. So a request that may change
 * something gets a response that says what happened.
 */
function reportUnanswered(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (SAFE_METHOD.test(request.method ?? '')) return void request.socket.destroy();
  const reason = error instanceof Error ? error.message : String(error);
  const sentence = `The site gave no response (${reason}). The request was sent at most once; unless the connection was refused, the site may have carried it out.`;
  refuse(response, 502, sentence);
}

async function tunnel(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  judge: CheckEndpoint,
  keep: (socket: Socket) => void,
): Promise<void> {
  const asked = URL.canParse(`http://${request.url}`) ? new URL(`http://${request.url}`) : undefined;
  const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1]);
  if (asked === undefined || !Number.isInteger(port)) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const endpoint = { host: asked.hostname, port };
  const verdict = await judge(endpoint, port === 80 ? 'http' : 'https');
  if (verdict.kind === 'blocked') return void client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  const site = connect({
    host: endpoint.host.replace(/^\[|\]$/g, ''),
    port,
    lookup: lookupOf(verdict.addresses),
    noDelay: true,
  });
  keep(site);
  client.setNoDelay(true);
  let isOpen = false;
  site.once('connect', () => {
    isOpen = true;
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) site.write(head);
    site.pipe(client).pipe(site);
  });
  site.on('error', () => (isOpen ? client.destroy() : client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')));
  site.on('close', () => isOpen && client.destroy());
  client.on('close', () => site.destroy());
}

function refuse(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    ...headers,
  });
  response.end(`${sentence}\n`);
}

function throughHeaders(raw: readonly string[]): [string, string][] {
  const pairs = Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [raw[at * 2]!, raw[at * 2 + 1]!]);
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  return pairs.filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name.toLowerCase()));
}

function originOf({ host, port }: Endpoint, scheme: 'http' | 'https'): string {
  return new URL(`${scheme}://${host}:${port}`).origin;
}

/** An earlier keeper's proxy may still hold the port for a moment. */
async function listen(server: Server, port: number): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      if (port === 0 || tried === LISTEN_TRIES || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await delay(LISTEN_PAUSE_MS);
    }
  }
}
