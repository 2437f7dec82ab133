import type { Client } from '@temporalio/client';
import { recoverSession } from '../activities/engine/sessions/recover-session';
import type { RecoverSessionInput } from '../activities/signatures/recovery-activities';
import { RECOVERY_QUERY, SESSION_WORKFLOW } from '../contracts/queues';
import { errorMessage } from '../contracts/errors/error-message';
import type { Logger } from '../runtime/process';
import { sessionIdOf } from '../store/sessions/session-id';
import type { Store } from '../store/store';

/** Clocks differ, and the row of a plain start is written when a worker has taken it. */
const BEFORE_MS = 600_000;
const ENDED = ['Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut'];

interface ForgottenDeps {
  store: Store;
  client: Client;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Enters the sessions again that have ended and whose rows the database has forgotten, because it was put back to before their
 * start. Temporal lists their workflows, and each says what it knows. A database loses its end only: all of them have begun
 * after the newest moment that it knew of. Null: it knew of no session.
 */
export async function enterForgotten(deps: ForgottenDeps, knownUntil: Date | null): Promise<void> {
  const { store, client, logger } = deps;
  const since = new Date(Math.max(0, (knownUntil?.getTime() ?? 0) - BEFORE_MS)).toISOString();
  const query = `WorkflowType = '${SESSION_WORKFLOW}' and StartTime > '${since}' and ExecutionStatus in (${ENDED.map((name) => `'${name}'`).join(', ')})`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if ((await store.sessions.get(sessionIdOf(workflowId))) !== null) continue;
    try {
      if (await enterAgain(deps, workflowId, runId))
        logger.warn({ workflowId, runId }, 'entered a session again that the database had forgotten');
    } catch (error) {
      // Such as one that was refused before it had a row.
      logger.warn({ workflowId, runId, error: errorMessage(error) }, 'a workflow without a session in the database');
    }
  }
}

/** Writes what the workflow of a session knows. False where it never had a session. */
async function enterAgain({ store, client }: ForgottenDeps, workflowId: string, runId: string): Promise<boolean> {
  const known = await askWorkflow(client, workflowId, runId);
  if (known.sessionId === '') return false;
  await recoverSession({ store }, known, { workflowId, runId });
  return true;
}

/**
 * Writes the end of a session that its workflow had written, and the database has forgotten. False where the workflow had not
 * come to its end, does not answer, or is refused.
 */
export async function enterForgottenEnd(
  { store, client, logger }: ForgottenDeps,
  workflowId: string,
  runId: string,
): Promise<boolean> {
  try {
    const known = await askWorkflow(client, workflowId, runId);
    if (known.sessionId === '' || known.stepIndex !== undefined) return false;
    await recoverSession({ store }, known, { workflowId, runId });
    return true;
  } catch (error) {
    logger.warn({ workflowId, runId, error: errorMessage(error) }, 'the end that a workflow knows is not written');
    return false;
  }
}

async function askWorkflow(client: Client, workflowId: string, runId: string): Promise<RecoverSessionInput> {
  return await client.workflow.getHandle(workflowId, runId).query<RecoverSessionInput>(RECOVERY_QUERY);
}
