import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { epochRefused } from '../refusals';
import { forwardUncompressed } from './uncompressed';

/** The only way for workers to a Chrome: one listening port per epoch, never two epochs at once. */
interface Relay {
  /** Cuts off every older epoch, then listens for this one. The same epoch gets the same port again. */
  open(epoch: number): Promise<number>;
  epoch(): number;
  attachedWorkers(): number;
  close(): void;
}

interface RelayOptions {
  chromePort: number;
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
  | { kind: 'open'; epoch: number; server: Server; port: number };

export function createRelay(options: RelayOptions): Relay {
  const { chromePort, beforeOpening, onWorkerAttached, onWorkersGone } = options;
  let state: State = { kind: 'shut', epoch: options.epoch };
  let turn: Promise<unknown> = Promise.resolve();
  const cutters = new Set<() => void>();

  const cutOff = (kind: 'shut' | 'closed') => {
    if (state.kind === 'open') state.server.close();
    state = { kind, epoch: state.epoch };
    for (const cut of cutters) cut();
  };

  const join = (worker: Socket) => {
    const chrome = connect({ host: '127.0.0.1', port: chromePort, noDelay: true });
    worker.setNoDelay(true);
    chrome.pipe(worker);
    forwardUncompressed(worker, chrome);
    const leave = (end: 'destroy' | 'resetAndDestroy') => {
      worker[end]();
      chrome[end]();
      if (cutters.delete(cut) && cutters.size === 0) onWorkersGone();
    };
    // A reset also discards what the worker has sent and Chrome has not read.
    const cut = () => leave('resetAndDestroy');
    cutters.add(cut);
    for (const socket of [worker, chrome]) {
      socket.on('error', () => leave('destroy'));
      socket.on('close', () => leave('destroy'));
    }
    onWorkerAttached();
  };

  // A function, because the state changes during `openNow`.
  const isClosed = () => state.kind === 'closed';
  const refuseWhenClosed = () => {
    if (isClosed()) throw new Error('Expected a relay that can be opened, got one that is closed permanently.');
  };

  const openNow = async (epoch: number): Promise<number> => {
    if (state.kind === 'open' && state.epoch === epoch) return state.port;
    if (epoch <= state.epoch) throw epochRefused(epoch, state.epoch);
    refuseWhenClosed();
    cutOff('shut');
    await beforeOpening(epoch);
    refuseWhenClosed();
    state = { kind: 'shut', epoch };
    const server = createServer(join);
    const port = await listen(server);
    if (isClosed()) server.close();
    refuseWhenClosed();
    state = { kind: 'open', epoch, server, port };
    return port;
  };

  return {
    epoch: () => state.epoch,
    attachedWorkers: () => cutters.size,
    close: () => cutOff('closed'),
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
