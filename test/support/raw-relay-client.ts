import { once } from 'node:events';
import { WebSocket } from 'ws';
import { RELAY_PATH, ServerMessageSchema, type ServerMessage } from '../../contracts/relay/protocol';
import { eventually } from './eventually';

type Type = ServerMessage['type'];

/** A client that says what the test says, also what no client should. */
export interface RawClient {
  send(message: object | string): void;
  /** The next message of this type that was not taken yet. */
  next<T extends Type>(type: T): Promise<Extract<ServerMessage, { type: T }>>;
  /** Whether a message of this type has come that was not taken yet. */
  has(type: Type): boolean;
  closed(): Promise<{ code: number; reason: string }>;
  /** Without a word. */
  drop(): void;
}

export async function openRawClient(api: string, headers: Record<string, string> = {}): Promise<RawClient> {
  const socket = new WebSocket(new URL(RELAY_PATH, api.replace(/^http/, 'ws')), { headers });
  const waiting: ServerMessage[] = [];
  let end: { code: number; reason: string } | undefined;
  socket.on('message', (data: Buffer) => waiting.push(ServerMessageSchema.parse(JSON.parse(data.toString()))));
  socket.on('close', (code, reason) => (end = { code, reason: reason.toString() }));
  await once(socket, 'open');
  socket.on('error', () => {});
  return {
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async next<T extends Type>(type: T) {
      return await eventually(`a message ${type}`, () => {
        const index = waiting.findIndex((message) => message.type === type);
        return index === -1 ? undefined : (waiting.splice(index, 1)[0] as Extract<ServerMessage, { type: T }>);
      });
    },
    has: (type) => waiting.some((message) => message.type === type),
    closed: () => eventually('the connection is closed', () => end),
    drop: () => socket.terminate(),
  };
}

/** One that has registered. */
export async function registerRaw(api: string, sessionToken: string, memoryId = 'memory-1'): Promise<RawClient> {
  const client = await openRawClient(api);
  client.send({ type: 'register', sessionToken, memoryId });
  await client.next('registered');
  return client;
}
