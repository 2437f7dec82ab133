import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { textOf, type ChatMessage } from '../characters/chat';

/** How the engine begins what it sends back to a model: a reply that does not fit, or a call that can't be run. */
const SENT_BACK = /^Your answer is invalid:|Parameter validation failed for |not found in registry\./m;

/** Stands between the engine and a model's server, and counts. */
export interface Wire {
  url: string;
  /** Replies that the engine sent back so far. */
  sentBack(): number;
  stop(): Promise<void>;
}

/** Passes requests on to the server at a base URL as they are, and its answers back while they are written. */
export async function openWire(baseURL: string): Promise<Wire> {
  const { origin, pathname } = new URL(baseURL);
  let sentBack = 0;
  const server = createServer((request, response) => {
    void passOn(request, response, origin, (body) => (sentBack += countSentBack(body))).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname.replace(/\/$/, '')}`,
    sentBack: () => sentBack,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  onBody: (body: string) => void,
): Promise<void> {
  // A call that the engine aborts ends at the server, too.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await buffer(request);
  onBody(body.toString());
  const { method = 'GET', url = '/', headers } = request;
  const { authorization, 'content-type': type } = headers;
  const answer = await fetch(new URL(url, origin), {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(authorization === undefined ? {} : { authorization }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    signal: gone.signal,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}

/** Counts among the messages since the model's last one, as a conversation repeats the earlier ones. */
function countSentBack(body: string): number {
  if (body === '') return 0;
  const { messages = [] } = JSON.parse(body) as { messages?: ChatMessage[] };
  const newest = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return newest.length === messages.length ? 0 : newest.filter((message) => SENT_BACK.test(textOf(message))).length;
}
