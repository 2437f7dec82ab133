import { WebSocket } from 'ws';
import type { CdpEvents } from './events';

type Listener = (params: never, sessionId: string | undefined) => void;

/** A minimal client of the Chrome DevTools Protocol, without state. */
export interface CdpConnection {
  send(method: string, params?: object, target?: { sessionId?: string; timeoutMs?: number }): Promise<unknown>;
  /** Sets the listener of an event. `sessionId` names the target that sends it. */
  on<Name extends keyof CdpEvents>(
    name: Name,
    listener: (params: CdpEvents[Name], sessionId: string | undefined) => void,
  ): void;
  close(): void;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const COMMAND_TIMEOUT_MS = 5000;

export async function connectCdp(url: string, timeoutMs = COMMAND_TIMEOUT_MS): Promise<CdpConnection> {
  const socket = await openSocket(url, timeoutMs);
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Listener>();
  let lastId = 0;

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data as string) as {
      id?: number;
      method?: string;
      params?: unknown;
      sessionId?: string;
      result?: unknown;
      error?: { message: string };
    };
    if (message.id === undefined) {
      listeners.get(message.method ?? '')?.(message.params as never, message.sessionId);
    } else if (message.error === undefined) {
      waiting.get(message.id)?.resolve(message.result);
    } else {
      waiting.get(message.id)?.reject(new Error(message.error.message));
    }
  });

  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => {
      for (const { reject } of waiting.values()) reject(new Error('The connection to Chrome has ended.'));
      resolve();
    });
  });

  return {
    closed,
    close: () => socket.close(),
    on: (name, listener) => void listeners.set(name, listener as Listener),
    send(method, params = {}, { sessionId, timeoutMs: limit = COMMAND_TIMEOUT_MS } = {}) {
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The connection to Chrome has ended.'));
      lastId += 1;
      const id = lastId;
      let timer: NodeJS.Timeout | undefined;
      const answer = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new Error(`Chrome did not answer ${method} within ${limit} ms.`)), limit);
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return answer.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    },
  };
}

function openSocket(url: string, timeoutMs: number): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    // The connection stays on this machine, so compression only costs.
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const timer = setTimeout(() => {
      socket.close();
      reject(new Error(`Chrome did not take a connection at ${url} within ${timeoutMs} ms.`));
    }, timeoutMs);
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.addEventListener('error', () => {
      clearTimeout(timer);
      reject(new Error(`Chrome does not listen at ${url}.`));
    });
  });
}
