/** Sockets of the API, and requests that name two hosts, over a real server. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { RELAY_PATH } from '../../contracts/relay/protocol';
import { openRawClient } from '../support/raw-relay-client';
import { startWholeApi, type WholeApi } from './whole-api';

const TOKEN = 'a-token-of-enough-characters';

let api: WholeApi;
beforeAll(async () => (api = await startWholeApi()));
afterAll(() => api.stop());

test('a socket is opened at the relay alone, under the names of the API and within the rate limit', async () => {
  const port = await api.serve(api.create({ token: TOKEN }, { names: ['127.0.0.1'] }));
  const refusalAt = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const [error] = (await once(new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers }), 'error')) as [Error];
    return error.message;
  };
  for (const path of [
    '/docs',
    '/v1/sessions',
    '/v1/relay/',
    '/V1/relay',
    '//v1/relay',
    '/v1/relay/../sessions',
    '/nothing',
  ])
    expect([path, await refusalAt(path)]).toEqual([path, expect.stringContaining(path === '/docs' ? '400' : '401')]);
  expect(await refusalAt(RELAY_PATH, { host: 'attacker.test' })).toContain('403');
  const token = { authorization: `Bearer ${TOKEN}` };
  expect(await refusalAt('/nothing', token)).toContain('404');
  expect(await refusalAt('/v1/sessions', token)).toContain('400');

  const client = await openRawClient(`http://127.0.0.1:${port}`);
  client.send({ type: 'ping' });
  expect(await client.next('pong')).toEqual({ type: 'pong' });
  client.drop();

  const limited = await api.serve(api.create({ token: TOKEN, requestsPerMinute: 1 }));
  (await openRawClient(`http://127.0.0.1:${limited}`)).drop();
  await expect(openRawClient(`http://127.0.0.1:${limited}`)).rejects.toThrow('429');
  const plain = await fetch(`http://127.0.0.1:${port}${RELAY_PATH}`);
  expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
});

test('a request with two hosts is refused with 400 before anything is done, also for a socket', async () => {
  const port = await api.serve(api.create(undefined, { names: ['127.0.0.1', 'localhost'] }));
  const own = `127.0.0.1:${port}`;
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  const statusOf = async (target: string, head: string): Promise<number> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\n${head}\r\n`);
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(line.toString())?.[1]);
  };
  for (const target of ['/health', '/v1/sessions', '/v1/relay', '/docs', '/nothing']) {
    for (const head of [
      `Host: ${own}\r\nHost: attacker.test\r\n`,
      `Host: attacker.test\r\nHost: ${own}\r\n`,
      `Host: ${own}\r\nhost: ${own}\r\n`,
      `Host: ${own}\r\nHost:\r\n`,
    ])
      for (const more of ['', upgrade])
        expect([target, head, await statusOf(target, head + more)]).toEqual([target, head, 400]);
    expect([target, await statusOf(`http://${own}${target}`, `Host: attacker.test\r\n`)]).toEqual([target, 400]);
    expect([target, await statusOf(`http://attacker.test${target}`, `Host: ${own}\r\n`)]).toEqual([target, 400]);
  }
  expect(await statusOf(`http://${own}/v1/sessions`, `Host: ${own}\r\n`)).toBe(200);
  expect(await statusOf('/v1/relay', `Host: ${own}\r\n${upgrade}`)).toBe(101);
});
