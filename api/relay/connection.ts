import type { WebSocket } from 'ws';
import {
  MAX_FRAME_BYTES,
  parseClientFrame,
  RELAY_CLOSES,
  RELAY_PROTOCOL,
  MISSED_HEARTBEATS,
  type ClientMessage,
  type RegisterMessage,
  type RelayClose,
  type RelayError,
  type ServerMessage,
} from '../../contracts/relay/protocol';
import type { HeldConnection } from '../../store/relay/relay-sessions';
import type { Store } from '../../store/store';
import type { Logger } from '../../runtime/process';
import { errorMessage } from '../../contracts/errors/error-message';

const REGISTER_WITHIN_MS = 10_000;
/** Invalid messages before the connection is closed. */
const MAX_STRIKES = 20;
/** A client that does not close in time is terminated. */
const CLOSE_GRACE_MS = 2000;

export interface ConnectionDeps {
  store: Pick<Store, 'relay'>;
  logger: Logger;
  /** Names this process in the store. */
  holder: string;
  heartbeatMs: number;
  /** Called when this connection has become the one of its browser in this process. */
  onRegistered(connection: RelayConnection): void;
  /** Called when calls may have been settled. */
  onSettled(): void;
  onClosed(connection: RelayConnection): void;
}

/** One socket of a client, from its first byte to its last. */
export interface RelayConnection {
  /** Undefined until the client has registered. */
  held(): HeldConnection | undefined;
  /** Sends the next waiting call, if none is in progress. */
  pump(): void;
  close(why: RelayClose): void;
}

export function openConnection(socket: WebSocket, deps: ConnectionDeps): RelayConnection {
  const { store, logger } = deps;
  const { sessions, calls, answers, notifier } = store.relay;
  let held: HeldConnection | undefined;
  let heardAt = performance.now();
  let strikes = 0;
  let why: RelayClose | undefined;
  /** Messages are handled one after the other. */
  let work: Promise<unknown> = Promise.resolve();

  const send = (message: ServerMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const refuse = (error: RelayError): void => {
    send(error);
    strikes += 1;
    if (strikes >= MAX_STRIKES) close('unusable');
  };
  const close = (reason: RelayClose): void => {
    if (why !== undefined) return;
    why = reason;
    if (reason === 'replaced') send({ type: 'replaced', message: 'Another connection of this browser is open now.' });
    if (reason === 'revoked') send({ type: 'revoked', message: 'This browser session was revoked. Pair again.' });
    const { code, reason: text } = RELAY_CLOSES[reason];
    socket.close(code, text);
    setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
  };
  /** Closes the connection on an error: the client keeps its result, and is asked for it after it reconnects. */
  const inOrder = (act: () => Promise<void>): void => {
    work = work.then(act).catch((error: unknown) => {
      logger.warn({ ...held, error: errorMessage(error) }, 'a relay message failed');
      close('ending');
    });
  };

  async function takeNext(): Promise<void> {
    if (held === undefined || why !== undefined) return;
    const call = await calls.take(held);
    if (call !== null) send({ type: 'execute_tool', ...call });
  }

  async function register({ sessionToken, memoryId, client }: RegisterMessage): Promise<void> {
    const { holder, heartbeatMs } = deps;
    const connection = await sessions.connect(sessionToken, { holder, memoryId, client: client ?? null });
    if (connection === null) {
      const message =
        'Expected a session token that holds: this one is unknown, replaced, revoked or expired. Pair again.';
      send({ type: 'error', code: 'unauthorised', message });
      return close('unauthorised');
    }
    held = connection;
    clearTimeout(unregistered);
    deps.onRegistered(self);
    // The process that held the browser before closes its socket.
    await notifier.notify(connection.browserSessionId);
    logger.info({ ...connection, client }, 'a browser is connected');
    const limits = { protocol: RELAY_PROTOCOL, heartbeatMs, maxFrameBytes: MAX_FRAME_BYTES };
    send({ type: 'registered', ...limits, ...connection });
    for (const requestId of await calls.takeOver(connection)) send({ type: 'ask_result', requestId });
    await takeNext();
  }

  async function handle(message: ClientMessage): Promise<void> {
    if (message.type === 'ping') return send({ type: 'pong' });
    if (message.type === 'pong' || message.type === 'running') return;
    if (message.type === 'register') {
      if (held === undefined) return await register(message);
      return refuse({ type: 'error', code: 'bad-message', message: 'This connection is registered already.' });
    }
    if (held === undefined) {
      const expected = `Expected register as the first message, got ${message.type}.`;
      return refuse({ type: 'error', code: 'not-registered', message: expected });
    }
    const { requestId } = message;
    if (message.type === 'unknown_request') {
      const again = await calls.resendUnknown(held, requestId);
      if (again !== null) return send({ type: 'execute_tool', ...again });
    } else {
      const kept = await answers.save(held.browserSessionId, requestId, message.result);
      if (kept === 'not-sent') {
        const unknown = 'No call of this id was sent to this browser; nothing was changed.';
        return refuse({ type: 'error', code: 'unknown-request', message: unknown, requestId });
      }
      send({ type: 'result_kept', requestId });
    }
    deps.onSettled();
    await takeNext();
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heardAt = performance.now();
    // The next frame is read after this one is handled, which limits the memory of a connection.
    socket.pause();
    inOrder(async () => {
      try {
        const parsed = parseClientFrame(isBinary ? '' : data.toString('utf8'));
        if (parsed.kind === 'unusable') refuse(parsed.error);
        else await handle(parsed.message);
      } finally {
        heardAt = performance.now();
        socket.resume();
      }
    });
  });
  socket.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') why ??= 'too-large';
  });

  const unregistered = setTimeout(() => close('silent'), REGISTER_WITHIN_MS);
  /** A client whose socket is paused counts as heard, as its messages are read later. */
  const isSilent = (): boolean =>
    !socket.isPaused && performance.now() - heardAt > MISSED_HEARTBEATS * deps.heartbeatMs;
  const ping = (): void => send({ type: 'ping' });
  const beat = setInterval(() => {
    if (!isSilent()) return ping();
    // After a stall of this process timers run before sockets: read what has arrived first.
    setImmediate(() => (isSilent() ? close('silent') : ping()));
  }, deps.heartbeatMs);

  /** Records the disconnect after all earlier messages. The store notices a lost process by itself. */
  async function disconnected(): Promise<void> {
    if (held === undefined || !(await sessions.disconnect(held))) return;
    logger.info({ ...held, why }, 'a browser is not connected any more');
    if (why === 'too-large') await answers.endSent(held, 'too-large');
    await answers.browserLost(held.browserSessionId, why !== 'revoked' && why !== 'unauthorised');
    await answers.settleOverdue();
    deps.onSettled();
  }
  socket.on('close', () => {
    clearTimeout(unregistered);
    clearInterval(beat);
    inOrder(disconnected);
    work = work.then(() => deps.onClosed(self));
  });

  const self: RelayConnection = { held: () => held, pump: () => inOrder(takeNext), close };
  return self;
}
