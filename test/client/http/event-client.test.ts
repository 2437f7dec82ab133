import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../../client/http/api-error';
import { followEvents, followFrames, type EventClientOptions } from '../../../client/http/event-client';
import { parseFrame } from '../../../client/http/parse-frame';
import { encodeAll, type EventFormat } from '../../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES, type FormatName } from '../../../contracts/events/formats/formats';
import { toSseFrame } from '../../../api/streams/frames';
import { EVERYTHING, logOf } from '../../support/format-logs';

/** A server that answers as the test says: what the network and a newer server may do to a stream. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(...answers: Answer[]): Promise<{ api: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const stream =
  (text: string, cut = false): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => (cut ? response.destroy() : response.end()));
  };

const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(JSON.stringify({ error: { message: 'No.' } }));

async function read<F extends FormatName>(format: F, options: EventClientOptions) {
  const received = [];
  for await (const one of followFrames('s', format, { retryMs: 1, ...options })) received.push(one);
  return received;
}

const log = logOf(EVERYTHING);
const encoded = (format: FormatName) => encodeAll(FORMATS[format] as EventFormat<unknown, object>, log);

/** The stream of a format as the API writes it, up to and with the frame of the terminal record. */
function wire(format: FormatName, after = 0): string[] {
  return encoded(format)
    .filter(({ seq }) => seq > after)
    .map((frame) => toSseFrame(format, frame).toString());
}

test.each(FORMAT_NAMES)(
  'format=%s: a connection that breaks after every few bytes costs and repeats no event',
  async (format) => {
    let size = 0;
    const { api, asked } = await serve((request, response) => {
      const after = Number(request.headers['last-event-id'] ?? 0);
      const rest = wire(format, after);
      if (rest.length === 0) return response.writeHead(204).end();
      size += 97;
      const text = rest.join('');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 1\n\n: heartbeat\n\n${text.slice(0, 400 + (size % 1500))}`, () => response.destroy());
    });
    expect(await read(format, { api })).toEqual(encoded(format));
    expect(asked.length).toBeGreaterThan(1);
  },
);

test('[S3.R4, S3.R2] the execution stream is an async iterable of events distinguished by their type', async () => {
  const { api, asked } = await serve(stream(wire('execution').join('')));
  const printed: string[] = [];
  const tools: string[] = [];
  let end: [string, number] | undefined;
  for await (const event of followEvents('s', 'execution', { api }))
    switch (event.type) {
      case 'token_delta':
        printed.push(event.data.content);
        break;
      case 'tool_call':
        tools.push(event.data.name);
        break;
      case 'done':
        end = [event.data.status, event.data.total_tokens];
        break;
      default:
        break;
    }
  expect(printed.join('')).toContain('Now I order.');
  expect(tools).toEqual(['navigate', 'teleport', 'order', 'click']);
  expect(end).toEqual(['completed', 955]);
  expect(asked[0]?.url).toBe('/v1/sessions/s/events?format=execution');
});

test('[S3.A2] the client stops after done or error', async () => {
  const { api, asked } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\nevent: error\ndata: {"error_type":"cancelled","message":"m"}\n\n');
  });
  expect(await read('execution', { api })).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

test('[S3.A1] comments and events of unknown types are skipped; onUnknown gets the events', async () => {
  const unknown: unknown[] = [];
  const { api } = await serve(
    stream(
      ': keepalive\n\nid: 1\nevent: hint\ndata: {"a":1}\n\nid: 2\nevent: token_delta\ndata: no json\n\n' +
        'id: 3\nevent: done\ndata: {"status":"limited","total_tokens":1,"total_credits":"0","extra":1}\n\n',
    ),
  );
  const events = await read('execution', { api, onUnknown: (message) => unknown.push(message) });
  // The status stays open for readers (S3.A7), and so does what else the data holds.
  expect(events).toEqual([
    { seq: 3, frame: { type: 'done', data: { status: 'limited', total_tokens: 1, total_credits: '0', extra: 1 } } },
  ]);
  expect(unknown).toEqual([
    { id: '1', event: 'hint', data: '{"a":1}' },
    { id: '2', event: 'token_delta', data: 'no json' },
  ]);
});

test.each([undefined, 'token_delta', 'message'])(
  '[S3.A1] a frame whose JSON is the whole event is read as well (event name %s)',
  (event) => {
    const whole = { type: 'token_delta', data: { content: 'a', index: 0 } };
    expect(parseFrame('execution', { event, data: JSON.stringify(whole) })).toEqual(whole);
  },
);

test('a step is read with and without a name, words by theirs, and what is neither is unknown', () => {
  const step = { step: 1, status: 'thinking' };
  expect(parseFrame('steps', { event: undefined, data: JSON.stringify(step) })).toEqual({ type: 'step', data: step });
  expect(parseFrame('steps', { event: 'text', data: '{"chunk":"a"}' })).toEqual({ type: 'text', data: { chunk: 'a' } });
  expect(parseFrame('steps', { event: 'later', data: '{"chunk":"a"}' })).toBeUndefined();
  expect(parseFrame('agent', { event: undefined, data: '{"type":"agent.dream","timestamp":1}' })).toBeUndefined();
});

test('a busy or unavailable server is retried after `Retry-After`; another status is an ApiError', async () => {
  const { api, asked } = await serve(
    refuse(503, { 'retry-after': '0' }),
    refuse(429),
    stream(wire('agent').join(''), true),
    refuse(204),
  );
  expect(await read('agent', { api, token: 'secret' })).toEqual(encoded('agent'));
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer secret'));
  for (const status of [400, 401, 404, 410]) {
    const away = await serve(refuse(status));
    await expect(read('agent', { api: away.api })).rejects.toThrow(ApiError);
    await expect(read('agent', { api: away.api })).rejects.toMatchObject({ status, message: 'No.' });
  }
});

test('a stream that is silent for too long is replaced by another one', async () => {
  const { api, asked } = await serve((request, response) => {
    const last = request.headers['last-event-id'];
    if (last !== undefined)
      return stream(`${wire('steps', Number(last)).join('')}event: end\ndata: {}\n\n`)(request, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(wire('steps').slice(0, 3).join(''));
  });
  expect(await read('steps', { api, silenceMs: 1000 })).toEqual(encoded('steps'));
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.at(-1)?.headers['last-event-id']).toBe(String(encoded('steps')[2]!.seq));
});

test('a reader that stops, or whose signal aborts, disconnects at once', async () => {
  const closed = Promise.withResolvers<void>();
  const { api } = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(wire('steps').slice(0, 2).join(''));
    request.socket.on('close', () => closed.resolve());
  });
  for await (const { seq } of followFrames('s', 'steps', { api })) {
    expect(seq).toBe(encoded('steps')[0]!.seq);
    break;
  }
  await closed.promise;
  const stop = new AbortController();
  const seen: number[] = [];
  for await (const { seq } of followFrames('s', 'steps', { api, signal: stop.signal })) {
    seen.push(seq);
    if (seen.length === 2) stop.abort();
  }
  expect(seen).toHaveLength(2);
});
