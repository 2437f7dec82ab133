import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ChatRequest {
  messages: { role: string; content?: unknown }[];
  tools?: object[];
  response_format?: object;
  max_tokens?: number;
}

export interface OwnServer {
  /** Its base URL, which ends with /v1. */
  url: string;
  port: number;
  chats: ChatRequest[];
  /** Every request, as `GET /slots`. */
  paths: string[];
  keys: (string | undefined)[];
  stop(): Promise<void>;
}

export interface OwnServerParts {
  /** Answers POST /v1/chat/completions, which is 404 where it is left out. */
  chat?: ((request: ChatRequest, response: ServerResponse) => void | Promise<void>) | undefined;
  /** What other paths answer with, as JSON or as this text; the rest is 404. */
  pages?: Record<string, string | object | (() => object)>;
  port?: number;
}

/** A server of models that somebody runs beside the workers: plain HTTP, on 127.0.0.1. */
export async function startOwnServer({ chat, pages = {}, port = 0 }: OwnServerParts): Promise<OwnServer> {
  const chats: ChatRequest[] = [];
  const paths: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    paths.push(`${method} ${url}`);
    keys.push(headers.authorization);
    void (async () => {
      const body = await text(request);
      if (chat !== undefined && method === 'POST' && url === '/v1/chat/completions') {
        const asked = JSON.parse(body) as ChatRequest;
        chats.push(asked);
        await chat(asked, response);
        return;
      }
      const page = pages[url] ?? { error: 'Unexpected endpoint' };
      response.writeHead(url in pages ? 200 : 404, { 'content-type': 'application/json' });
      response.end(typeof page === 'string' ? page : JSON.stringify(typeof page === 'function' ? page() : page));
    })().catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    port: bound,
    chats,
    paths,
    keys,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Streams an answer as such servers do; `delta` is what the model says, or the calls that it makes. */
export function streamChat(response: ServerResponse, delta: object, usage?: object): void {
  const base = { id: 'c1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'own' };
  const finish = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  const chunks = [
    { ...base, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }], ...(usage === undefined ? {} : { usage }) },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}
