import { randomInt } from 'node:crypto';
import { withinMs } from '../../../runtime/time-limit';
import { devToolsAddress, commandOf, readdressed, type Address } from './addressing';
import { ContextScope, type DownloadEvent, type TargetEvent } from './context-scope';
import { openMessagePipe } from './message-pipe';
import { openKeeperEnds } from './pipes';

/**
 * The DevTools of one Chrome. The pipe serves one client, and there are several: the keeper's watcher and the workers
 * behind the relay. Each gets a browser session of its own, in which it sees the protocol as if it were alone. Commands
 * of all clients go through one pipe, so Chrome takes them in in the order in which they were sent.
 */
export interface DevTools {
  open(client: DevToolsClient): Promise<DevToolsSession>;
  /** The same of one browser context alone. */
  within(contextId: string): DevTools;
  /** The session that holds those of all clients. The next keeper ends it, and with it what a killed one left. */
  readonly keeperSession: string;
  /** Lets go of the Chrome, which runs on. Ends all sessions, but where they hold what nobody has judged. */
  close(options?: { keepsSessions: boolean }): void;
  /** Resolves when the Chrome has ended or `close` was called. */
  readonly closed: Promise<void>;
}

/** Who receives what Chrome sends to a session. */
export interface DevToolsClient {
  received(message: Buffer): void;
  /** Called once, whoever ended it. */
  closed(): void;
}

export interface DevToolsSession {
  /** Sends a whole command; what is none ends the session. */
  send(command: Buffer): void;
  /** False while Chrome has yet to read much of what was sent. */
  readonly isWritable: boolean;
  onceWritable(callback: () => void): void;
  /** Ends the session and all that it attached to. What Chrome has not yet taken in is still carried out. */
  close(): void;
}

interface Client extends DevToolsClient {
  session: string;
  /** Absent where it has the whole Chrome. */
  scope?: ContextScope | undefined;
}

/** A command that Chrome has not answered. */
interface Unanswered {
  /** Nobody's of the clients: the keeper's own. */
  client?: Client;
  session: string | undefined;
  answered(message: Buffer, address: Address): void;
  ended?(error: Error): void;
}

interface ConnectOptions {
  /** The session of the keeper before. */
  earlierSession?: string | undefined;
  timeoutMs: number;
}

/** Chrome counts ids as 32-bit numbers. */
const MAX_ID = 2 ** 31 - 1;
/** Ids that no keeper gives to the commands of its clients before it has sent as many. */
const FIRST_HANDSHAKE_ID = 2 ** 30;
const EVENT_BYTES = 32;
const TARGET_EVENT = /^\{"method":"Target\.(?:attached|detached)/;
const DOWNLOAD_EVENT = /^\{"method":"(?:Browser|Page)\.download/;

/** Connects to the Chrome of this folder. Rejects when it has ended, or does not answer in time. */
export async function connectDevTools(
  folder: string,
  { earlierSession, timeoutMs }: ConnectOptions,
): Promise<DevTools> {
  const unanswered = new Map<number, Unanswered>();
  /** The clients by the sessions that they hold: their own, and those of the targets that they attached to. */
  const holders = new Map<string, Client>();
  const pipe = openMessagePipe(openKeeperEnds(folder), received);
  let lastId = randomInt(FIRST_HANDSHAKE_ID, MAX_ID - 16);
  let keeperSession: string | undefined;
  let isOver = false;
  /** A context has let go, and its sessions hold what nobody has judged. */
  let isHolding = false;

  function command(message: Buffer, address: Address, to: Unanswered): void {
    lastId = lastId === MAX_ID ? 1 : lastId + 1;
    unanswered.set(lastId, to);
    const { session } = to;
    pipe.send(readdressed(message, address, session === undefined ? { id: lastId } : { id: lastId, session }));
  }

  /** A command of the keeper's own. */
  function call(method: string, params: object, session: string | undefined): Promise<Buffer> {
    return new Promise((answered, ended) => {
      if (isOver) throw chromeHasEnded();
      const message = Buffer.from(JSON.stringify({ id: 0, method, params }));
      command(message, devToolsAddress(message)!, { session, answered, ended });
    });
  }

  async function attach(): Promise<string> {
    const answer = await call('Target.attachToBrowserTarget', {}, keeperSession);
    const { result } = JSON.parse(answer.toString()) as { result?: { sessionId: string } };
    if (result === undefined) throw new Error(`Chrome gave no session: ${answer.toString()}`);
    return result.sessionId;
  }

  function received(message: Buffer): void {
    const address = devToolsAddress(message);
    if (address?.id !== undefined) {
      const command = unanswered.get(address.id);
      unanswered.delete(address.id);
      command?.answered(message, address);
      return;
    }
    // What belongs to no session is Chrome's answer to half a message; other sessions are those of an earlier keeper.
    if (address?.session === undefined) return;
    const client = holders.get(address.session);
    if (client === undefined && address.session !== keeperSession) return;
    const head = message.toString('latin1', 0, EVENT_BYTES);
    if (TARGET_EVENT.test(head) && !trackTarget(message, client, address.session)) return;
    if (client === undefined) return;
    if (
      DOWNLOAD_EVENT.test(head) &&
      client.scope?.seesDownload(JSON.parse(message.toString()) as DownloadEvent) === false
    )
      return;
    client.received(address.session === client.session ? readdressed(message, address, {}) : message);
  }

  /** Returns whether its client is to know of it. */
  function trackTarget(message: Buffer, client: Client | undefined, session: string): boolean {
    const event = JSON.parse(message.toString()) as TargetEvent;
    const { sessionId } = event.params;
    // What a page attaches to is of its own context.
    const scope = session === client?.session ? client.scope : undefined;
    if (event.method === 'Target.detachedFromTarget') {
      const holder = holders.get(sessionId);
      if (holder?.session === sessionId) {
        end(holder);
        return false;
      }
      // Chrome answers nothing for a session that has ended.
      for (const [id, { session: its }] of unanswered) if (its === sessionId) unanswered.delete(id);
      return holders.delete(sessionId) || scope === undefined;
    }
    if (client === undefined || event.method !== 'Target.attachedToTarget') return true;
    if (scope?.isForeign(event) === true) {
      // It would wait for everybody who is attached.
      void call('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => {});
      void call('Target.detachFromTarget', { sessionId }, session).catch(() => {});
      return false;
    }
    holders.set(sessionId, client);
    return true;
  }

  /** Returns false when it has ended before. */
  function end(client: Client): boolean {
    if (!holders.delete(client.session)) return false;
    for (const [session, holder] of holders) if (holder === client) holders.delete(session);
    for (const [id, command] of unanswered) if (command.client === client) unanswered.delete(id);
    client.closed();
    return true;
  }

  void pipe.closed.then(() => {
    isOver = true;
    for (const { ended } of unanswered.values()) ended?.(chromeHasEnded());
    unanswered.clear();
    for (const client of new Set(holders.values())) end(client);
  });

  try {
    const handshake = async (): Promise<string> => {
      // Once it is answered, Chrome has taken in whatever an earlier keeper had written.
      await call('Browser.getVersion', {}, undefined);
      if (earlierSession !== undefined) await call('Target.detachFromTarget', { sessionId: earlierSession }, undefined);
      return await attach();
    };
    const late = (): Error => new Error(`Chrome did not answer its keeper within ${timeoutMs / 1000} s`);
    keeperSession = await withinMs(timeoutMs, handshake(), late);
  } catch (error) {
    pipe.close();
    throw error;
  }
  // Answers to an earlier keeper ended with its session.
  lastId = 0;

  async function open(handlers: DevToolsClient, scope?: ContextScope): Promise<DevToolsSession> {
    const client: Client = { ...handlers, session: await attach(), scope };
    if (isOver) throw chromeHasEnded();
    holders.set(client.session, client);
    const session: DevToolsSession = {
      get isWritable() {
        return pipe.isWritable;
      },
      onceWritable: (callback) => pipe.onceWritable(callback),
      send(given) {
        if (!holders.has(client.session)) return;
        const sent = commandOf(given);
        if (sent === undefined) return session.close();
        const to = sent.address.session ?? client.session;
        if (holders.get(to) !== client) return client.received(refused(sent.address.id, NO_SUCH_SESSION));
        const isToBrowser = to === client.session || scope?.hasBrowserSession(to) === true;
        const scoped = isToBrowser ? scope?.toBrowser(sent.message) : undefined;
        if (typeof scoped === 'string') {
          const error = { code: NOT_ALLOWED, message: scoped };
          return client.received(refused(sent.address.id, error, sent.address.session));
        }
        const { message, address } = scoped === undefined ? sent : commandOf(scoped)!;
        const answered = (answer: Buffer, from: Address): void =>
          client.received(
            readdressed(answer, from, {
              id: address.id,
              ...(from.session === undefined || from.session === client.session ? {} : { session: from.session }),
            }),
          );
        command(message, address, { client, session: to, answered });
      },
      close() {
        if (!end(client)) return;
        void call('Target.detachFromTarget', { sessionId: client.session }, keeperSession).catch(() => {});
      },
    };
    return session;
  }

  const devTools: DevTools = {
    keeperSession,
    closed: pipe.closed,
    close({ keepsSessions } = { keepsSessions: false }) {
      if (!keepsSessions && !isHolding)
        void call('Target.detachFromTarget', { sessionId: keeperSession }, undefined).catch(() => {});
      pipe.close();
    },
    open,
    within: (contextId) => {
      const sessions = new Set<DevToolsSession>();
      return {
        ...devTools,
        async open(client) {
          const session = await open(client, new ContextScope(contextId));
          sessions.add(session);
          return session;
        },
        close({ keepsSessions } = { keepsSessions: false }) {
          if (keepsSessions) isHolding = true;
          else for (const session of sessions) session.close();
        },
      };
    },
  };
  return devTools;
}

function chromeHasEnded(): Error {
  return new Error('The connection to Chrome has ended.');
}

/** What Chrome answers for a session that has ended. */
const NO_SUCH_SESSION = { code: -32001, message: 'Session with given id not found.' };
const NOT_ALLOWED = -32000;

function refused(id: number, error: { code: number; message: string }, sessionId?: string): Buffer {
  return Buffer.from(JSON.stringify({ id, error, sessionId }));
}
