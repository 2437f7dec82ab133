import type { Client } from '@temporalio/client';
import type { Accepted } from '../../contracts/messages/accepted';
import type { ClientCallStatus } from '../../contracts/tools/client-call-status';
import type { Store } from '../../store/store';
import { noteCallUpdate } from '../../workflows/messages/definitions';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { toClientError, wrongState } from '../connection/temporal-errors';
import { isEnded, requireSessionRow } from '../rows/session-row';

/**
 * Reports the state of a call that this process runs. It is no message: a process that gets no answer reports again, and the
 * session takes the newest state.
 */
export async function reportCall(
  { store, temporal }: { store: Store; temporal: Client },
  name: string,
  status: ClientCallStatus,
): Promise<Accepted> {
  const verb = 'sent the state of a call';
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId, workflowId } = row;
  if (isEnded(row)) throw wrongState({ sessionId, verb, status: row.status, isEnded: true });
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    return await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.update, () =>
      handle.executeUpdate(noteCallUpdate, { args: [status] }),
    );
  } catch (error) {
    // Read again, as the session may have ended during the update.
    const now = await fromStore(() => requireSessionRow(store, sessionId));
    throw toClientError(error, { sessionId, verb, status: now.status, isEnded: isEnded(now) });
  }
}
