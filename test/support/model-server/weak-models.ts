import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Message {
  role: string;
  content?: string | null | { text?: string }[];
}

/** What a model makes of its conversation: all that it says is text. */
export type Weakness = (conversation: string, turn: number) => string;

/**
 * Serves models by OpenAI's chat completions as llama.cpp and Ollama do: the name of the model is the weakness. The second
 * argument of each is the number of its earlier messages in the conversation.
 */
export async function startWeakModels(
  models: Record<string, Weakness>,
): Promise<{ url: string; heard: string[]; stop(): Promise<void> }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    void (async () => {
      const body = await text(request);
      heard.push(body);
      const { model, messages } = JSON.parse(body) as { model: string; messages: Message[] };
      const own = turnsIn(messages);
      send(response, model, models[model]!(messages.map(contentOf).join('\n\n'), own));
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The turns of a conversation: replies, and those of which only lines are left. */
export function turnsIn(messages: readonly Message[]): number {
  const folded = messages.flatMap((message) => {
    const lines = /What you have done:\n<result \w+>\n([\s\S]*?)\n<\/result/.exec(contentOf(message))?.[1];
    return lines?.match(/^- /gm) ?? [];
  });
  return folded.length + messages.filter(({ role }) => role === 'assistant').length;
}

function contentOf({ content }: Message): string {
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
}

function send(response: ServerResponse, model: string, said: string): void {
  const base = { id: 'c1', object: 'chat.completion.chunk', created: 1_790_000_000, model };
  const chunks = [
    { ...base, choices: [{ index: 0, delta: { role: 'assistant', content: said }, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}
