import { withinMs } from '../../../runtime/time-limit';
import type { DevTools } from '../devtools/devtools';
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

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const COMMAND_TIMEOUT_MS = 5000;

/** Opens a session of its own. Rejects when Chrome has ended, or does not answer in time. */
export async function connectCdp(devTools: DevTools): Promise<CdpConnection> {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Listener>();
  let lastId = 0;
  let isOpen = true;
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (markClosed = resolve));

  const opening = devTools.open({
    received(data) {
      const message = JSON.parse(data.toString()) as Message;
      if (message.id === undefined) {
        listeners.get(message.method ?? '')?.(message.params as never, message.sessionId);
      } else if (message.error === undefined) {
        waiting.get(message.id)?.resolve(message.result);
      } else {
        waiting.get(message.id)?.reject(new Error(message.error.message));
      }
    },
    closed() {
      isOpen = false;
      for (const { reject } of waiting.values()) reject(new Error('The connection to Chrome has ended.'));
      markClosed();
    },
  });
  const session = await withinMs(COMMAND_TIMEOUT_MS, opening).catch((error: unknown) => {
    void opening.then((late) => late.close()).catch(() => {});
    throw error;
  });

  return {
    closed,
    close: () => session.close(),
    on: (name, listener) => void listeners.set(name, listener as Listener),
    send(method, params = {}, { sessionId, timeoutMs: limit = COMMAND_TIMEOUT_MS } = {}) {
      if (!isOpen) return Promise.reject(new Error('The connection to Chrome has ended.'));
      lastId += 1;
      const id = lastId;
      let timer: NodeJS.Timeout | undefined;
      const answer = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new Error(`Chrome did not answer ${method} within ${limit} ms.`)), limit);
      });
      session.send(Buffer.from(JSON.stringify({ id, method, params, sessionId })));
      return answer.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    },
  };
}
