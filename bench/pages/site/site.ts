import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import type { Site, Suite, Truth } from '../scenario';

const REPORT = `<script>${readFileSync(join(__dirname, 'report-truth.js'), 'utf8')}</script>`;

/** Serves the pages of all suites on one port. */
export async function serveSuites(suites: readonly Suite[]): Promise<Site> {
  const truths = new Map<string, Truth>();
  const server = createServer((request, response) => {
    answer(suites, request, response).catch((error: unknown) => {
      console.error(`  ${request.url}: ${(error as Error).message}`);
      response.writeHead(500).end();
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url = '' }) => {
    const run = url.split('/')[2] ?? '';
    socket.on('message', (text: Buffer) => truths.set(run, JSON.parse(text.toString()) as Truth));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: (run, suite, path) => `${root}/${run}/${suite}/${path}`,
    truthOf: (run) => truths.get(run) ?? {},
    async close() {
      sockets.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(suites: readonly Suite[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const [, run = '', name, ...rest] = pathname.split('/');
  const found = await suites.find((suite) => suite.name === name)?.serve(decodeURIComponent(rest.join('/')), run);
  if (found === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
    return;
  }
  const isPage = found.type.startsWith('text/html');
  response.writeHead(200, { 'content-type': found.type });
  response.end(isPage ? found.body.toString() + REPORT : found.body);
}
