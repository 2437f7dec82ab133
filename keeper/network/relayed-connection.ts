import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { UnansweredInput } from './unanswered-input';

/** The side that reads slower than the other one sends is waited for. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** No client counts its commands so far. */
const LAST_ID = 2 ** 31 - 1;

/**
 * A worker's connection to Chrome, as whole messages. When the worker is cut off or gone, Chrome's side stays until Chrome
 * has taken in all that was forwarded: it has answered a command that was sent last, and its pages have received all
 * mouse and key events.
 */
export class RelayedConnection {
  /** Resolves when the worker is cut off or gone: nothing that it sends is forwarded any more. */
  readonly left: Promise<void>;
  /** Resolves when Chrome has taken in all that was forwarded, or is gone. */
  readonly drained: Promise<void>;
  private worker: WebSocket | undefined;
  private hasLeft = false;
  private hasAnsweredLast = false;
  private readonly input = new UnansweredInput();
  private markLeft = (): void => {};

  constructor(
    private readonly socket: Duplex,
    private readonly chrome: WebSocket,
    { upgrade }: { upgrade: (use: (worker: WebSocket) => void) => void },
  ) {
    this.left = new Promise((resolve) => (this.markLeft = resolve));
    this.drained = new Promise((resolve) => chrome.once('close', () => resolve()));
    socket.on('error', () => this.cut()).on('close', () => this.cut());
    chrome.on('error', () => {}).on('close', () => this.cut());
    chrome.once('open', () => {
      if (this.hasLeft) return this.end();
      upgrade((worker) => this.connect(worker));
    });
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
    this.chrome.resume();
    if (this.chrome.readyState !== WebSocket.OPEN) return;
    this.chrome.send(JSON.stringify({ id: LAST_ID, method: 'Browser.getVersion' }));
  }

  /** Ends the connection on both sides, whatever Chrome has not read. */
  end(): void {
    this.cut();
    this.chrome.terminate();
  }

  private connect(worker: WebSocket): void {
    this.worker = worker;
    worker.on('error', () => {}).on('close', () => this.cut());
    worker.on('message', (data: Buffer, isBinary) => {
      if (this.hasLeft) return;
      this.input.sent(data);
      forward(worker, this.chrome, data, isBinary);
    });
    this.chrome.on('message', (data: Buffer, isBinary) => {
      const id = this.input.received(data);
      if (!this.hasLeft) return forward(this.chrome, worker, data, isBinary);
      this.hasAnsweredLast ||= id === LAST_ID;
      if (this.hasAnsweredLast && this.input.isEmpty) this.end();
    });
  }
}

function forward(from: WebSocket, to: WebSocket, data: Buffer, binary: boolean): void {
  to.send(data, { binary }, () => {
    if (from.isPaused && to.bufferedAmount < MAX_BUFFERED_BYTES) from.resume();
  });
  if (to.bufferedAmount >= MAX_BUFFERED_BYTES) from.pause();
}
