import type { Client } from '@temporalio/client';
import type { ISessionManager } from '../contracts/modules/module-sessions';
import type { Store } from '../store/store';
import { createControl } from './sessions/control';
import { ClientError } from './port';
import type { SessionProjection } from './session-projection';
import { isEnded, requireSessionRow } from './sessions/session-row';
import { fromStore } from './connection/store-errors';

/** So long a session has to end after it was told to. */
const END_MS = 60_000;

interface TearDown {
  store: Store;
  temporal: Client;
  projection: SessionProjection;
  others: () => ISessionManager[];
}

/**
 * S1.R4. A session that runs is cancelled first and ends its log as always; then its status, its module sessions and
 * their links go in one transaction. Safe to ask for again, after a kill as well: what was done is not done twice.
 */
export async function tearDown({ store, temporal, projection, others }: TearDown, name: string): Promise<void> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId, lastSeq } = row;
  await fromStore(() => projection.refresh(sessionId));
  if (!isEnded(row)) await cancel(store, temporal, sessionId);
  if (!row.closed) await awaitEnd(store, sessionId, lastSeq);
  await fromStore(() => store.moduleSessions.destroyAll(sessionId));
  for (const manager of others().reverse()) {
    await manager.destroySession(sessionId);
    await fromStore(() => store.moduleSessions.unlink(sessionId, manager.moduleId));
  }
  await fromStore(() => projection.refresh(sessionId));
}

async function cancel(store: Store, temporal: Client, sessionId: string): Promise<void> {
  try {
    await createControl({ store, temporal }).cancel(sessionId);
  } catch (error) {
    // It has ended while it was asked.
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
    `Session ${sessionId} was told to end and has not ended within ${END_MS / 1000} s. Destroy it again when it has.`,
  );
}
