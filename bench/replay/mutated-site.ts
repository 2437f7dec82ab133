import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { createShop } from '../../examples/shop/app';
import { startSite } from '../../examples/shop/serve';
import { MUTATIONS, type Mutation } from './mutations';

/** Which clicks a page has got: on the element that was learnt, and on others (their markup). */
interface Clicks {
  right: number;
  wrong: string[];
}

/** Changes of one page, which is asked for with `?run=`, around the element with this CSS selector. */
interface Change {
  selector: string;
  mutations: readonly Mutation[];
}

/** The shop, with pages changed for some runs; each page counts its clicks itself. */
export interface MutatedSite {
  url: string;
  change(run: string, change: Change): void;
  clicksOf(run: string): Clicks;
  close(): Promise<void>;
}

export async function startMutatedSite(): Promise<MutatedSite> {
  const shop = createShop();
  const changes = new Map<string, Change>();
  const clicks = new Map<string, Clicks>();
  const clicksOf = (run: string): Clicks => clicks.get(run) ?? { right: 0, wrong: [] };
  // A report over a socket that was open before is no request that a command could be taken to have sent.
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(sockets, 'listening');
  sockets.on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      const { run, wrong } = JSON.parse(text.toString()) as { run: string; wrong?: string };
      const { right, wrong: others } = clicksOf(run);
      clicks.set(run, wrong === undefined ? { right: right + 1, wrong: others } : { right, wrong: [...others, wrong] });
    });
  });
  const { port } = sockets.address() as AddressInfo;
  const site = await startSite(async (request) => {
    const answer = await shop.app.fetch(request);
    const run = new URL(request.url).searchParams.get('run') ?? '';
    const change = changes.get(run);
    if (change === undefined || answer.headers.get('content-type')?.startsWith('text/html') !== true) return answer;
    const headers = new Headers(answer.headers);
    headers.delete('content-length');
    return new Response((await answer.text()) + scriptOf(run, change, port), { status: answer.status, headers });
  });
  return {
    url: site.url,
    change: (run, change) => void changes.set(run, change),
    clicksOf,
    async close() {
      await site.close();
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
}

function scriptOf(run: string, { selector, mutations }: Change, port: number): string {
  const [name, css] = [run, selector].map((text) => JSON.stringify(text));
  return `<script>{
    const learnt = document.querySelector(${css});
    const socket = new WebSocket('ws://127.0.0.1:${port}');
    for (const mutate of [${mutations.map((each) => String(MUTATIONS[each])).join(', ')}]) mutate(learnt);
    document.addEventListener('click', (event) => {
      if (!event.isTrusted) return;
      const path = event.composedPath();
      const other = path.find((each) => each.matches?.('a, button, input, select, textarea, label, [role]'));
      if (path.includes(learnt) || other?.control === learnt) socket.send(JSON.stringify({ run: ${name} }));
      else if (other !== undefined) socket.send(JSON.stringify({ run: ${name}, wrong: other.outerHTML }));
    }, true);
  }</script>`;
}
