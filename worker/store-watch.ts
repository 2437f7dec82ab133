import type { Client, Connection } from '@temporalio/client';
import { SESSION_WORKFLOW, VERIFY_STORE_SIGNAL } from '../contracts/queues';
import type { Logger } from '../runtime/process';
import { startSweep, type Sweep } from '../runtime/sweep';
import { sessionIdOf } from '../store/sessions/session-id';
import type { Store } from '../store/store';
import { enterForgotten } from './forgotten-sessions';

const PAUSE_MS = 1000;
/** A worker that starts together with its database has not seen it start. */
const RECENT_MS = 600_000;
const ANSWERS_WITHIN_MS = 2000;

interface StoreWatchDeps {
  store: Store;
  client: Client;
  /** Without retries: an answer that comes at the second try hides that Temporal was away. */
  probe: Connection;
  logger: Logger;
}

interface StoreWatch extends Sweep {
  /** To be called where Temporal is known to have been put back although it was not missed. */
  temporalWasPutBack(): void;
}

/**
 * Has each session compare what it knows with the database whenever the database has started anew, is another server, or
 * Temporal was away: only then can one of them be as it was at an earlier time. A session that waits for a person writes
 * nothing, and would not find it out; one that has ended is entered again (worker/forgotten-sessions.ts). After Temporal was away, the messages that sessions had applied are delivered again, and the
 * reconciler starts a session over that does not answer (worker/left-behind.ts).
 */
export function startStoreWatch({ store, client, probe, logger }: StoreWatchDeps): StoreWatch {
  let known: string | undefined;
  let wasTemporalAway = false;
  const isTemporalThere = async (): Promise<boolean> => {
    const ask = () => probe.workflowService.getSystemInfo({});
    return await probe.withDeadline(Date.now() + ANSWERS_WITHIN_MS, ask).then(
      () => true,
      () => false,
    );
  };
  const sweep = startSweep(
    PAUSE_MS,
    async () => {
      if (!(await isTemporalThere())) {
        wasTemporalAway = true;
        return;
      }
      const { startedAt, isRecent, knownUntil } = await store.startedAt(RECENT_MS);
      const hasStarted = startedAt !== known && (known !== undefined || isRecent);
      if (hasStarted || wasTemporalAway) {
        if (hasStarted) await enterForgotten({ store, client, logger }, knownUntil);
        const sessions = await verifyAll(client, wasTemporalAway ? store : undefined);
        logger.info({ startedAt, wasTemporalAway, sessions }, 'sessions compare what they know with the database');
      }
      known = startedAt;
      wasTemporalAway = false;
    },
    ({ message }) => logger.warn({ error: message }, 'whether the database has started is not known; retrying'),
  );
  return {
    stop: () => sweep.stop(),
    temporalWasPutBack() {
      wasTemporalAway = true;
    },
  };
}

/**
 * By Temporal's list: the row of a session may be what was lost. After Temporal was away also by the rows: its list lags behind
 * its histories, and one that was put back does not have what had just begun.
 */
async function verifyAll({ workflow }: Client, afterTemporal: Store | undefined): Promise<number> {
  const verified = new Set<string>();
  const verify = async (workflowId: string, runId?: string): Promise<void> => {
    verified.add(workflowId);
    if (afterTemporal !== undefined) {
      await afterTemporal.controlMessages.reopen(sessionIdOf(workflowId));
      await afterTemporal.runProgress.ask(sessionIdOf(workflowId));
    }
    // One that has just ended takes no signal any more.
    await workflow
      .getHandle(workflowId, runId)
      .signal(VERIFY_STORE_SIGNAL)
      .catch(() => {});
  };
  const query = `WorkflowType = '${SESSION_WORKFLOW}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId } of workflow.list({ query })) await verify(workflowId, runId);
  for (const workflowId of (await afterTemporal?.runProgress.openWorkflows()) ?? [])
    if (!verified.has(workflowId)) await verify(workflowId);
  return verified.size;
}
