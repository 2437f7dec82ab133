import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page that changes when a request asks for it, and says when it did and when it was clicked, by the clock of the machine. */
export interface TickingSite {
  url: string;
  /** Changes the page; resolves to the moment at which it had. */
  change(): Promise<number>;
  /** Resolves to the moment of the next click. */
  clicked(): Promise<number>;
  stop(): void;
}

/** A picture of some size, so that a frame weighs what a page weighs. */
const ROWS = Array.from({ length: 40 }, (_, row) => `<tr><td>Order ${row}</td><td>${row * 7} euros</td></tr>`).join('');
const PAGE = `<!doctype html><title>Ticking</title><h1 id="number">0</h1><table>${ROWS}</table><script>
  const say = (what) => fetch('/' + what + '?at=' + (performance.timeOrigin + performance.now()), { method: 'POST' });
  new EventSource('/ticks').onmessage = ({ data }) => {
    document.body.style.background = 'hsl(' + (data * 67) % 360 + ' 60% 80%)';
    document.getElementById('number').textContent = data;
    say('changed');
  };
  addEventListener('pointerdown', () => say('clicked'));
</script>`;

export async function startTickingSite(): Promise<TickingSite> {
  const said = new EventEmitter();
  const listening = new Set<ServerResponse>();
  let count = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/ticks') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(':\n\n');
      listening.add(response);
      response.on('close', () => listening.delete(response));
      return;
    }
    if (request.method === 'POST') said.emit(pathname.slice(1), Number(searchParams.get('at')));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(pathname === '/' ? PAGE : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const next = async (what: string): Promise<number> => ((await once(said, what)) as [number])[0];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    change() {
      count += 1;
      const changed = next('changed');
      for (const response of listening) response.write(`data: ${count}\n\n`);
      return changed;
    },
    clicked: () => next('clicked'),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
