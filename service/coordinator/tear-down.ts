import type { Client } from '@temporalio/client';
import type { ISessionManager } from '../../contracts/modules/module-sessions';
import type { Store } from '../../store/store';
import { createMessageControl } from '../messages/send-message';
import { ClientError } from '../port/port';
import type { SessionProjection } from './session-projection';
import { isEnded, requireSessionRow } from '../rows/session-row';
import { fromStore } from '../connection/store-errors';

/** The time that a cancelled session has to end. */
const END_MS = 60_000;

interface TearDown {
  store: Store;
  temporal: Client;
  projection: SessionProjection;
  customModules: () => ISessionManager[];
}

/**
 * Destroys a session (S1.R4). One that runs is cancelled first and ends its log as always; then its status becomes CLEANUP,
 * with which its module sessions and links are gone. Calling it again, after a kill as well, repeats nothing.
 */
export async function tearDown({ store, temporal, projection, customModules }: TearDown, name: string): Promise<void> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId, lastSeq } = row;
  await fromStore(() => projection.refresh(sessionId));
  if (!isEnded(row)) await cancel(store, temporal, sessionId);
  if (!row.closed) await awaitEnd(store, sessionId, lastSeq);
  await fromStore(() => store.moduleSessions.destroyAll(sessionId));
  for (const manager of customModules().reverse()) await manager.destroySession(sessionId);
  await fromStore(() => projection.refresh(sessionId));
}

async function cancel(store: Store, temporal: Client, sessionId: string): Promise<void> {
  try {
    await createMessageControl({ store, temporal }).sendMessage(sessionId, { name: 'cancel' });
  } catch (error) {
    // It ended before the cancellation arrived.
    if (!(error instanceof ClientError) || error.kind !== 'wrong-state') throw error;
  }
}

async function awaitEnd(store: Store, sessionId: string, lastSeq: number): Promise<void> {
  const signal = AbortSignal.timeout(END_MS);
  await fromStore(async () => {
    for await (const _ of store.log.follow(sessionId, lastSeq, signal));
  });
  if (!signal.aborted) return;
  throw new ClientError(
    'unavailable',
    'SP002',
    `Session ${sessionId} was cancelled and has not ended within ${END_MS / 1000} s. Destroy it again when it has.`,
  );
}
