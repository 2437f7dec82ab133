import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { ToolInput } from '../../contracts/tools/tool-input';
import {
  MAX_FRAME_BYTES,
  RELAY_CLOSES,
  RELAY_PATH,
  MISSED_HEARTBEATS,
  ServerMessageSchema,
  type ClientMessage,
  type ServerMessage,
} from '../../contracts/relay/protocol';
import { createMemory } from './memory';
import { errorMessage } from '../../contracts/errors/error-message';

const LONGEST_PAUSE_MS = 5000;

export interface ToolCall {
  sessionId: string;
  tool: string;
  input: ToolInput;
  timeoutMs: number;
}

export interface RelayClientOptions {
  /** Of the API, as http or https. */
  api: string;
  sessionToken: string;
  /** Runs one tool. An exception becomes an error for the model. */
  execute(call: ToolCall): Promise<BrowserToolResult>;
  /** The name of this client for people. */
  name?: string;
  /** The first delay between two attempts to connect. */
  retryMs?: number;
  onState?(state: RelayClientState): void;
}

export type RelayClientState = { kind: 'connecting' } | { kind: 'connected' } | { kind: 'ended'; reason: string };

export interface RelayClient {
  state(): RelayClientState;
  close(): void;
}

/** A client of the relay that uses only the public protocol: it registers, runs calls one after the other and reconnects. */
export function connectRelay(options: RelayClientOptions): RelayClient {
  const memory = createMemory();
  const firstPause = options.retryMs ?? 200;
  let state: RelayClientState = { kind: 'connecting' };
  let socket: WebSocket | undefined;
  let pause = firstPause;
  let queue: Promise<unknown> = Promise.resolve();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let limits = { maxFrameBytes: MAX_FRAME_BYTES, heartbeatMs: 20_000 };

  const become = (next: RelayClientState): void => {
    state = next;
    options.onState?.(next);
  };
  const send = (message: ClientMessage): void => {
    // The API asks for unsent answers after the next registration.
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function answer(requestId: string, result: BrowserToolResult): void {
    const frame: ClientMessage = { type: 'tool_result', requestId, result };
    const bytes = new TextEncoder().encode(JSON.stringify(frame)).length;
    if (bytes <= limits.maxFrameBytes) return send(frame);
    const error = `It ran, but its answer of ${bytes} bytes is more than a frame may hold (${limits.maxFrameBytes}).`;
    send({ ...frame, result: { success: false, error } });
  }

  function run({ requestId, ...call }: Extract<ServerMessage, { type: 'execute_tool' }>): void {
    const once = memory.once(requestId, () => {
      // There is one page, so one tool runs at a time.
      const turn = queue.then(() => options.execute(call)).catch(toError);
      queue = turn;
      return turn;
    });
    void once.then((result) => answer(requestId, result));
  }

  function recall(requestId: string): void {
    const remembered = memory.recall(requestId);
    if (remembered.kind === 'done') answer(requestId, remembered.result);
    else send({ type: remembered.kind === 'running' ? 'running' : 'unknown_request', requestId });
  }

  function handle(message: ServerMessage): void {
    switch (message.type) {
      case 'registered':
        limits = message;
        pause = firstPause;
        return become({ kind: 'connected' });
      case 'execute_tool':
        return run(message);
      case 'ask_result':
        return recall(message.requestId);
      case 'result_kept':
        return memory.kept(message.requestId);
      case 'ping':
        return send({ type: 'pong' });
      case 'pong':
      case 'error':
      case 'replaced':
      case 'revoked':
        return;
    }
  }

  function connect(): void {
    const url = new URL(RELAY_PATH, options.api.replace(/^http/, 'ws'));
    const opened = new WebSocket(url);
    socket = opened;
    opened.addEventListener('open', () => {
      const { sessionToken, name = 'relay client' } = options;
      send({ type: 'register', sessionToken, memoryId: memory.id, client: name });
    });
    opened.addEventListener('message', ({ data }) => {
      expectSoon(opened);
      // A newer version of the API may send messages that this client does not know.
      const parsed = ServerMessageSchema.safeParse(JSON.parse(String(data)));
      if (parsed.success) handle(parsed.data);
    });
    opened.addEventListener('close', ({ code, reason }) => lost(opened, code, reason));
  }

  /** A silent connection is lost. */
  function expectSoon(opened: WebSocket): void {
    clearTimeout(silence);
    silence = setTimeout(() => drop(opened), (MISSED_HEARTBEATS + 1) * limits.heartbeatMs);
  }

  function drop(opened: WebSocket): void {
    opened.close();
    lost(opened, 1006, '');
  }

  function lost(opened: WebSocket, code: number, reason: string): void {
    if (opened !== socket || state.kind === 'ended') return;
    clearTimeout(silence);
    socket = undefined;
    const close = Object.values(RELAY_CLOSES).find((one) => one.code === code && one.reason === reason);
    if (close?.comesBack === false) return become({ kind: 'ended', reason });
    become({ kind: 'connecting' });
    setTimeout(() => {
      if (state.kind === 'connecting') connect();
    }, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  connect();
  return {
    state: () => state,
    close() {
      clearTimeout(silence);
      become({ kind: 'ended', reason: 'closed here' });
      socket?.close();
    },
  };
}

function toError(error: unknown): BrowserToolResult {
  return { success: false, error: errorMessage(error) };
}
