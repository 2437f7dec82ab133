import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { aRoot, cleanUp, headersFor, keeperOver, later } from '../fixture';

afterEach(cleanUp);

test('messages between a worker and Chrome are not compressed, although the worker offers it', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const worker = new WebSocket(access.endpoint, { perMessageDeflate: true, headers: headersFor(access) });
  later(() => worker.terminate());
  await once(worker, 'open');
  expect(worker.extensions).toBe('');

  // As large as no head is: what is not compressed arrives whole.
  const expression = JSON.stringify('x'.repeat(200_000));
  const attach = { id: 1, method: 'Target.getTargets', params: {} };
  worker.send(JSON.stringify(attach));
  const [targets] = (await once(worker, 'message')) as [Buffer];
  const { targetId } = (
    JSON.parse(targets.toString()) as { result: { targetInfos: { type: string; targetId: string }[] } }
  ).result.targetInfos.find(({ type }) => type === 'page')!;
  const answered = new Promise<string>((resolve) => {
    worker.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: number; result: Record<string, never> };
      if (message.id === 2) {
        const call = {
          id: 3,
          method: 'Runtime.evaluate',
          params: { expression },
          sessionId: message.result['sessionId'],
        };
        worker.send(JSON.stringify(call));
      }
      if (message.id === 3) resolve((message.result as unknown as { result: { value: string } }).result.value);
    });
  });
  worker.send(JSON.stringify({ id: 2, method: 'Target.attachToTarget', params: { targetId, flatten: true } }));
  expect(await answered).toHaveLength(200_000);
});

test('a handshake in pieces arrives complete, only without its offer', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { host, port, pathname } = new URL(access.endpoint);
  const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  later(() => socket.destroy());
  const head =
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${access.token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
    'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n';
  for (const piece of head.match(/[^]{1,7}/g)!) {
    socket.write(piece);
    await turn();
  }
  let answer = '';
  for await (const chunk of socket) if ((answer += String(chunk)).includes('\r\n\r\n')) break;
  expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  // RFC 6455, 1.3: the answer to that key.
  expect(answer).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  expect(answer).not.toMatch(/extensions/i);
});
