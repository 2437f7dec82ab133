import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A web site of a test's own, and what it was asked for: address and body of every request. */
export interface TestSite {
  url: string;
  asked: string[];
  /** What came over WebSockets. */
  frames: string[];
  close(): void;
}

/** Serves the pages, and takes whatever is sent to it. */
export async function startSite(pages: Readonly<Record<string, string>>): Promise<TestSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      const page = pages[new URL(request.url ?? '/', 'http://site').pathname];
      response.writeHead(page === undefined && request.method === 'GET' ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
      });
      response.end(page === undefined ? 'nothing here' : `<!doctype html>${page}`);
    });
  });
  const frames: string[] = [];
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (message: Buffer) => frames.push(message.toString())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    frames,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}
