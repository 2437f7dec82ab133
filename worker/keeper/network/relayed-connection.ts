import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { DevTools, DevToolsSession } from '../devtools/devtools';
import { UnansweredInput } from './unanswered-input';

/**
 * What a worker may leave unread. The pipe of a Chrome is read for all its clients, so a worker that reads nothing is not
 * waited for: it is cut off, as one is whose connection breaks.
 */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** No client counts its commands so far. */
const LAST_ID = 2 ** 31 - 1;

/**
 * A worker's connection to Chrome, as whole messages. When the worker is cut off or gone, its DevTools session stays until
 * Chrome has taken in all that was forwarded: it has answered a command that was sent last, and its pages have received all
 * mouse and key events.
 */
export class RelayedConnection {
  /** Resolves when the worker is cut off or gone: nothing that it sends is forwarded any more. */
  readonly left: Promise<void>;
  /** Resolves when Chrome has taken in all that was forwarded, or is gone. */
  readonly drained: Promise<void>;
  private session: DevToolsSession | undefined;
  private worker: WebSocket | undefined;
  private hasLeft = false;
  private hasAnsweredLast = false;
  private readonly input = new UnansweredInput();
  private markLeft = (): void => {};
  private markDrained = (): void => {};

  constructor(
    private readonly socket: Duplex,
    devTools: DevTools,
    { upgrade }: { upgrade: (use: (worker: WebSocket) => void) => void },
  ) {
    this.left = new Promise((resolve) => (this.markLeft = resolve));
    this.drained = new Promise((resolve) => (this.markDrained = resolve));
    socket.on('error', () => this.cut()).on('close', () => this.cut());
    const opening = devTools.open({ received: (message) => this.received(message), closed: () => this.end() });
    opening.then(
      (session) => {
        this.session = session;
        if (this.hasLeft) this.end();
        else upgrade((worker) => this.connect(worker));
      },
      // That Chrome has ended.
      () => this.end(),
    );
  }

  /** Cuts the worker off. */
  cut(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.markLeft();
    this.worker?.terminate();
    this.socket.destroy();
    // A worker that was never let in has sent nothing.
    if (this.worker === undefined) return this.end();
    this.session?.send(Buffer.from(JSON.stringify({ id: LAST_ID, method: 'Browser.getVersion' })));
  }

  /** Ends the connection on both sides, whatever Chrome has not read. */
  end(): void {
    this.cut();
    this.markDrained();
    this.session?.close();
  }

  private connect(worker: WebSocket): void {
    this.worker = worker;
    worker.on('error', () => {}).on('close', () => this.cut());
    worker.on('message', (data: Buffer) => {
      if (this.hasLeft) return;
      this.input.sent(data);
      this.session?.send(data);
      if (this.session?.isWritable !== false) return;
      worker.pause();
      this.session.onceWritable(() => worker.resume());
    });
  }

  private received(message: Buffer): void {
    const id = this.input.received(message);
    if (!this.hasLeft) {
      this.worker?.send(message, { binary: false });
      if ((this.worker?.bufferedAmount ?? 0) > MAX_UNREAD_BYTES) this.cut();
      return;
    }
    this.hasAnsweredLast ||= id === LAST_ID;
    if (this.hasAnsweredLast && this.input.isEmpty) this.end();
  }
}
