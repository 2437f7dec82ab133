import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { bearerCheck, newBearerToken } from '../../../runtime/bearer-token';
import { withinMs } from '../../../runtime/time-limit';
import type { DevTools } from '../devtools/devtools';
import { epochRefused, notDrained } from '../host/refusals';
import { RelayedConnection } from './relayed-connection';

/** The only way for workers to a Chrome: one listening port per epoch, never two epochs at once. */
interface CdpPort {
  /**
   * Cuts off every older epoch, waits until Chrome has taken in what those workers sent, then listens for this one. The
   * same epoch gets the same access again. Refuses while Chrome does not take it in: asked again, it goes on waiting.
   */
  open(epoch: number): Promise<RelayAccess>;
  epoch(): number;
  attachedWorkers(): number;
  close(): void;
}

/** Every user of this machine reaches the port; the token lets in who got it from the keeper. */
interface RelayAccess {
  port: number;
  token: string;
}

interface CdpPortOptions {
  devTools: DevTools;
  /** The newest epoch that was let in. */
  epoch: number;
  /** Runs after all older epochs are cut off and before anybody can connect. */
  beforeOpening: (epoch: number) => Promise<void>;
  onWorkerAttached: () => void;
  onWorkersGone: () => void;
}

type State =
  | { kind: 'shut'; epoch: number }
  /** Permanently: the Chrome is gone or this keeper stops. */
  | { kind: 'closed'; epoch: number }
  | { kind: 'open'; epoch: number; server: Server; access: RelayAccess };

/** A Chrome that takes nothing in for so long is stopped, or its page hangs. */
const DRAIN_LIMIT_MS = 5000;
/** Messages stay on this machine, so compression only costs; pages and screenshots may be of any size. */
const MESSAGES = { perMessageDeflate: false, skipUTF8Validation: true, maxPayload: 0 } as const;

export function createCdpPort(options: CdpPortOptions): CdpPort {
  const { devTools, beforeOpening, onWorkerAttached, onWorkersGone } = options;
  let state: State = { kind: 'shut', epoch: options.epoch };
  let turn: Promise<unknown> = Promise.resolve();
  const attached = new Set<RelayedConnection>();
  /** Their workers are gone, and Chrome may not have read all that they sent. */
  const draining = new Set<RelayedConnection>();
  const upgrades = new WebSocketServer({ ...MESSAGES, noServer: true, clientTracking: false });

  const cutOff = (kind: 'shut' | 'closed') => {
    if (state.kind === 'open') state.server.close();
    state = { kind, epoch: state.epoch };
    for (const connection of attached) connection.cut();
  };

  const join = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = new RelayedConnection(socket, devTools, {
      upgrade: (use) => upgrades.handleUpgrade(request, socket, head, use),
    });
    attached.add(connection);
    draining.add(connection);
    void connection.left.then(() => {
      if (attached.delete(connection) && attached.size === 0) onWorkersGone();
    });
    void connection.drained.then(() => draining.delete(connection));
    onWorkerAttached();
  };

  // A function, because the state changes during `openNow`.
  const isClosed = () => state.kind === 'closed';
  const refuseWhenClosed = () => {
    if (isClosed()) throw new Error('Expected a relay that can be opened, got one that is closed permanently.');
  };

  const openNow = async (epoch: number): Promise<RelayAccess> => {
    if (state.kind === 'open' && state.epoch === epoch) return state.access;
    if (epoch <= state.epoch) throw epochRefused(epoch, state.epoch);
    refuseWhenClosed();
    cutOff('shut');
    // A reset does not take back what a socket has delivered to Chrome's side: it would act after the next worker has asked
    // the page what happened.
    const drained = withinMs(DRAIN_LIMIT_MS, Promise.all([...draining].map((connection) => connection.drained)));
    await Promise.all([
      beforeOpening(epoch),
      drained.catch(() => {
        throw notDrained();
      }),
    ]);
    refuseWhenClosed();
    state = { kind: 'shut', epoch };
    const server = createServer((_, response) => response.writeHead(426).end());
    const token = newBearerToken();
    const isAllowed = bearerCheck(token);
    server.on('upgrade', (request, socket, head) => {
      if (state.kind !== 'open' || state.server !== server) socket.destroy();
      else if (isAllowed(request.headers.authorization)) join(request, socket, head);
      else socket.on('error', () => {}).end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    });
    const port = await listen(server);
    if (isClosed()) server.close();
    refuseWhenClosed();
    state = { kind: 'open', epoch, server, access: { port, token } };
    return state.access;
  };

  return {
    epoch: () => state.epoch,
    attachedWorkers: () => attached.size,
    close() {
      cutOff('closed');
      for (const connection of draining) connection.end();
    },
    // One at a time, so that two epochs never both find the old one open.
    open(epoch) {
      const opened = turn.then(() => openNow(epoch));
      turn = opened.catch(() => undefined);
      return opened;
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
