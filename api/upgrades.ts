import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../runtime/process';
import type { ApiApp, SocketUpgrade } from './http/context';

/**
 * Creates the listener of a server for requests that ask for a WebSocket. They are answered by the routes of the app, so
 * that whatever guards a request guards a socket too: host name, rate limit and token. A route that takes the socket says
 * so in `c.env.upgrade`; with any other answer the socket is refused and closed.
 */
export function createUpgradeListener(
  app: ApiApp,
  logger: Logger,
): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (incoming, socket, head) => {
    const abandon = (): unknown => socket.destroy();
    socket.on('error', abandon);
    const upgrade: SocketUpgrade = {};
    const connect = async (): Promise<void> => {
      const response = await answerOf(app, incoming, upgrade);
      if (socket.destroyed) return;
      if (!response.ok || upgrade.connect === undefined) return void socket.end(await refusalOf(response), abandon);
      socket.off('error', abandon);
      upgrade.connect(incoming, socket, head);
    };
    connect().catch((error: unknown) => {
      logger.error({ err: error }, 'unforeseen error of a socket');
      abandon();
    });
  };
}

async function answerOf(app: ApiApp, incoming: IncomingMessage, upgrade: SocketUpgrade): Promise<Response> {
  const target = incoming.url ?? '';
  // Joined as text: two slashes at the beginning are part of the path, not the name of another host.
  const url = URL.parse(target.startsWith('/') ? `http://${incoming.headers.host}${target}` : target);
  const isWebSocket = incoming.method === 'GET' && incoming.headers.upgrade?.toLowerCase() === 'websocket';
  if (url === null || url.username !== '' || url.password !== '' || !isWebSocket)
    return new Response('Expected a GET that asks for a WebSocket.\n', { status: 400 });
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return await app.fetch(new Request(url, { headers }), { incoming, upgrade });
}

async function refusalOf(response: Response): Promise<string> {
  const status = response.ok ? 400 : response.status;
  // A page or a stream that was asked for as a socket is not sent.
  if (response.ok) await response.body?.cancel();
  const body = response.ok ? 'There is no WebSocket at this address.\n' : await response.text();
  const kept = ['content-type', 'www-authenticate', 'retry-after', 'allow', 'upgrade'];
  const headers = kept.flatMap((name) =>
    response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
  );
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers, length, 'connection: close', '', body].join(
    '\r\n',
  );
}
