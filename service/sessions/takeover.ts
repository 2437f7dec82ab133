import type { Takeover } from '../../contracts/browsers/takeover';
import type { TakeoverRow } from '../../store/browsers/takeovers';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import type { SendMessage } from '../port/methods';
import { ClientError, type Sessions } from '../port/port';
import { isEnded, notFound, requireSessionRow } from '../rows/session-row';

type TakeoverControl = Pick<Sessions, 'takeOver' | 'takeover' | 'takeoverInput' | 'handBack'>;

/** Lets persons take browsers of sessions over. A worker of the browser's host does what they ask for. */
export function createTakeoverControl({ store, send }: { store: Store; send: SendMessage }): TakeoverControl {
  const read = async (sessionId: string): Promise<Takeover> => {
    const [row, takeover] = await Promise.all([store.sessions.get(sessionId), store.takeovers.get(sessionId)]);
    if (row === null || takeover === null) throw notFound(`Session ${sessionId} was not taken over.`);
    return toTakeover(row, takeover);
  };
  return {
    takeover: (id) => fromStore(async () => await read((await requireSessionRow(store, id)).sessionId)),
    async takeOver(id, { takeoverId, by }) {
      const row = await fromStore(() => requireSessionRow(store, id));
      const { sessionId } = row;
      const known = await fromStore(() => store.takeovers.get(sessionId));
      if (known?.takeoverId === takeoverId) return await fromStore(() => read(sessionId));
      await fromStore(() => assertCanBeTaken(store, row));
      const takeover = await fromStore(() => store.takeovers.request(sessionId, takeoverId, by));
      if (takeover.takeoverId !== takeoverId) {
        if (takeover.ended)
          throw refused(row, `Takeover ${takeoverId} of session ${sessionId} has ended. Choose another id.`);
        const who = takeover.by ?? 'Another person';
        throw refused(row, `${who} has taken the browser of session ${sessionId} over. Wait until it is handed back.`);
      }
      // Refused where somebody has asked for a pause before: then it comes by itself.
      if (!row.paused)
        await send('pause', sessionId, undefined, { idempotencyKey: `takeover-${takeoverId}` }).catch(
          (error: unknown) => {
            if (!(error instanceof ClientError) || error.kind !== 'wrong-state') throw error;
          },
        );
      return await fromStore(() => read(sessionId));
    },
    takeoverInput: (id, { takeoverId, acts }) =>
      fromStore(async () => {
        const row = await requireSessionRow(store, id);
        const { sessionId } = row;
        if (!row.paused || !(await store.takeovers.add(sessionId, takeoverId, acts))) {
          const { state, ...now } = await read(sessionId);
          const why =
            now.takeoverId !== takeoverId
              ? 'is another one'
              : state === 'requested'
                ? 'begins once the command under way is finished'
                : `is ${state}`;
          throw refused(row, `Nothing can be done at the browser of session ${sessionId}: its takeover ${why}.`);
        }
        return await read(sessionId);
      }),
    handBack: (id, { takeoverId }) =>
      fromStore(async () => {
        const row = await requireSessionRow(store, id);
        const now = await read(row.sessionId);
        if (now.takeoverId !== takeoverId)
          throw refused(row, `Session ${row.sessionId} has another takeover; this one has ended.`);
        if (now.state !== 'ended') await store.takeovers.wantEnd(row.sessionId, takeoverId, 'handed-back');
        return await read(row.sessionId);
      }),
  };
}

async function assertCanBeTaken(store: Store, row: SessionRow): Promise<void> {
  const { sessionId, status, waitingFor } = row;
  if (isEnded(row))
    throw refused(row, `Session ${sessionId} has ended as ${status}: there is no browser to take over.`);
  const [approvals, lease] = await Promise.all([store.approvals.pending(sessionId), store.leases.get(sessionId)]);
  // A conversation that waits for its next task is nobody's question.
  if ((waitingFor !== null && waitingFor.pausedFor !== 'message') || approvals.length > 0)
    throw refused(row, `Session ${sessionId} waits for an answer. Answer it first, then take over.`);
  if (lease === null)
    throw refused(row, `Session ${sessionId} has no browser now. Take over once it has opened a page, or resume it.`);
}

function refused({ status }: SessionRow, message: string): ClientError {
  return new ClientError('wrong-state', 'SP001', message, { state: status });
}

function toTakeover({ paused, closed }: SessionRow, row: TakeoverRow): Takeover {
  const { takeoverId, by, opened, wantedEnd, ended, waiting, asks } = row;
  const isOver = ended || closed;
  const isEnding = wantedEnd !== null || (opened && !paused);
  return {
    takeoverId,
    ...(by === null ? {} : { by }),
    state: isOver ? 'ended' : isEnding ? 'ending' : paused ? 'open' : 'requested',
    ...(wantedEnd === null ? {} : { end: wantedEnd }),
    waiting,
    ...(asks === null ? {} : { asks: asks.shown }),
  };
}
