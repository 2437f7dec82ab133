import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** How long `/slow` takes to answer, in milliseconds. */
const SLOW_MS = 1500;

/** A site, and an OpenAI-compatible model at `/v1`, that are slow or give no answer at all. */
export async function startHangingServer(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const answer = (): void => {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<title>Account</title><h1>Account</h1><form method="post"><button>Delete the account</button></form>',
      );
    };
    const path = request.url ?? '/';
    if (path === '/hangs' || path.startsWith('/v1/')) return;
    if (path === '/slow') setTimeout(answer, SLOW_MS);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
