import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeeperClient } from '../../../activities/browser/attach/keeper-client';
import { isOutage, toFailure } from '../../../activities/activity/failures';
import type { HostRow } from '../../../store/browsers/leases';

/** Returns the error of a request to a keeper that answers so; without an answer the keeper is gone before the request. */
async function errorFrom(answer: RequestListener | undefined): Promise<unknown> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const keeperUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host: HostRow = { hostId: 'one', keeperUrl, keeperToken: 't', silentForMs: 0, capacity: 1, browsers: 0 };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  if (answer === undefined) close();
  const request = createKeeperClient(host).quietForMs('s');
  return await request
    .then(
      () => 'It was answered.',
      (error: unknown) => error,
    )
    .finally(close);
}

/** A keeper that is killed; what its worker had asked is asked again of its successor. */
const DEATHS: [string, RequestListener | undefined][] = [
  ['before it is asked', undefined],
  ['before it answers', (request) => void request.socket.destroy()],
  [
    'in the middle of its answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"quiet', () => response.destroy());
    },
  ],
];

test.each(DEATHS)('a keeper that dies %s is an outage that names the host, every time', async (_, answer) => {
  const error = await errorFrom(answer);
  expect(isOutage(error)).toBe(true);
  expect(toFailure(error, 'TL004', 100)).toMatchObject({
    nonRetryable: false,
    message: expect.stringMatching(/^The keeper of host one can't be reached \(.+\); waiting for it\.$/),
  });
});

test('a refusal of the keeper is no outage', async () => {
  const error = await errorFrom((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{}');
  });
  expect(isOutage(error)).toBe(false);
  expect(toFailure(error, 'TL004', 1)).toMatchObject({ type: 'BrowserGone', nonRetryable: true });
});
