import type { Duplex } from 'node:stream';
import type { RelayGateway } from '../http/context';
import { randomUUID } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { MAX_FRAME_BYTES, type RelayClose } from '../../contracts/relay/protocol';
import { startSweep } from '../../runtime/sweep';
import type { HeldConnection, HoldState } from '../../store/relay/relay-sessions';
import { openConnection, type RelayConnection } from './connection';
import { startCallCompleter, type CompletionDeps } from './complete-calls';
import { waitUntil } from '../../runtime/wait-until';

/** Also the longest delay of a call whose notification was lost. */
const SWEEP_MS = 1000;
const MAX_CONNECTIONS = 1000;
/** Sockets that have not shown a token yet; strangers can open no more. */
const MAX_UNREGISTERED = 100;
/** What a socket may send before it has registered; a registration is a few hundred bytes. */
const MAX_UNREGISTERED_BYTES = 64 * 1024;
const CLOSE_WITHIN_MS = 3000;

export interface RelayGatewayDeps extends CompletionDeps {
  heartbeatMs: number;
}

const CLOSE_REASONS: Record<Exclude<HoldState, 'held'>, RelayClose> = {
  replaced: 'replaced',
  revoked: 'revoked',
  expired: 'unauthorised',
  lost: 'silent',
};

export function openRelayGateway(deps: RelayGatewayDeps): RelayGateway {
  const { store, logger, heartbeatMs } = deps;
  const { sessions, calls, answers } = store.relay;
  const holder = randomUUID();
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const all = new Set<RelayConnection>();
  const byBrowser = new Map<string, RelayConnection>();
  const completer = startCallCompleter(deps);
  let isClosing = false;

  const connectionDeps = {
    store,
    logger,
    holder,
    heartbeatMs,
    onRegistered(connection: RelayConnection) {
      const { browserSessionId } = connection.held()!;
      byBrowser.get(browserSessionId)?.close('replaced');
      byBrowser.set(browserSessionId, connection);
    },
    onSettled: completer.schedule,
    onClosed(connection: RelayConnection) {
      all.delete(connection);
      const id = connection.held()?.browserSessionId;
      if (id !== undefined && byBrowser.get(id) === connection) byBrowser.delete(id);
    },
  };

  const heldConnections = (): HeldConnection[] =>
    [...byBrowser.values()].flatMap((connection) => connection.held() ?? []);

  /** Closes connections that were replaced, revoked, expired or lost. */
  async function check(held: readonly HeldConnection[]): Promise<void> {
    for (const [id, standing] of await sessions.hold(holder, held)) {
      const connection = byBrowser.get(id);
      const epoch = held.find(({ browserSessionId }) => browserSessionId === id)?.epoch;
      if (standing !== 'held' && connection?.held()?.epoch === epoch) connection?.close(CLOSE_REASONS[standing]);
    }
  }

  const subscription = store.relay.notifier.subscribe((browserSessionId) => {
    const connection = byBrowser.get(browserSessionId);
    const held = connection?.held();
    if (connection === undefined || held === undefined) return;
    connection.pump();
    check([held]).catch(() => {});
  });
  const sweep = startSweep(
    SWEEP_MS,
    async () => {
      const held = heldConnections();
      await check(held);
      for (const { browserSessionId } of await sessions.dropLost()) await answers.browserLost(browserSessionId, true);
      if ((await answers.settleOverdue()) > 0) completer.schedule();
      const ids = held.map(({ browserSessionId }) => browserSessionId);
      for (const id of await calls.waiting(ids)) byBrowser.get(id)?.pump();
    },
    ({ message }) => logger.debug({ error: message }, 'maintenance of the relay failed; it is retried'),
  );

  return {
    connect(request, socket, head) {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = openConnection(webSocket, connectionDeps);
        all.add(connection);
        if (isClosing) connection.close('ending');
        else if (all.size > MAX_CONNECTIONS || countUnregistered(all) > MAX_UNREGISTERED) connection.close('crowded');
        limitUnregistered(socket, connection);
      });
    },
    async close() {
      isClosing = true;
      for (const connection of all) connection.close('ending');
      await waitUntil(() => all.size === 0, CLOSE_WITHIN_MS);
      await sweep.stop();
      await completer.stop();
      await subscription.close();
    },
  };
}

function countUnregistered(all: ReadonlySet<RelayConnection>): number {
  return [...all].filter((connection) => connection.held() === undefined).length;
}

/** Cuts a socket that sends much before it has registered; frames are limited in any case, but to what results need. */
function limitUnregistered(socket: Duplex, connection: RelayConnection): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (connection.held() !== undefined) socket.off('data', count);
    else if (bytes > MAX_UNREGISTERED_BYTES) socket.destroy();
  };
  socket.on('data', count);
}
