import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { ErasedSession } from '../../contracts/sessions/erased-session';
import { webhookWorkflowId } from '../../contracts/sessions/webhook';
import type { Store } from '../../store/store';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { fromConnection, wrongState } from '../connection/temporal-errors';
import { notFound, requireNamedRow } from '../rows/session-row';

/** Status codes of gRPC with which a server says that histories are not deleted here. */
const NOT_ALLOWED = [7, 12];

/** Places that no process of the engine reaches. */
const LEFT = [
  'Backups of the database and of the files, and older versions in a bucket that keeps them.',
  'Log files of the processes; they name the session by its id.',
  'What vendors of models keep of their calls, and recordings of calls (SUREFOOT_MODEL_CASSETTE).',
];
const HISTORY_LEFT =
  'Its history in Temporal, which goes with the retention of the namespace: the server refuses to delete it.';

/**
 * Erases an ended session. Temporal's histories are deleted first: when the database can't be reached afterwards, the
 * session is still known and the call can be repeated.
 */
export async function eraseSession(
  { store, temporal }: { store: Store; temporal: Client },
  name: string,
): Promise<ErasedSession> {
  const { sessionId, workflowId, status, closed, plan } = await fromStore(() => requireNamedRow(store, name));
  if (!closed) throw wrongState({ sessionId, verb: 'erased', status, isEnded: false });
  const ofSession = await deleteHistories(temporal, workflowId);
  let temporalRuns = ofSession;
  for (const deliveryId of await fromStore(() => store.webhooks.ofSession(sessionId)))
    temporalRuns = (temporalRuns ?? 0) + ((await deleteHistories(temporal, webhookWorkflowId(deliveryId))) ?? 0);
  const erasure = await fromStore(() => store.retention.erase(sessionId));
  if (erasure.kind === 'unknown') throw notFound(`There is no session ${name}.`);
  if (erasure.kind === 'open')
    throw wrongState({ sessionId, verb: 'erased while its browser ends', status, isEnded: false });
  return {
    sessionId,
    erased: erasure.rows,
    temporalRuns: temporalRuns ?? 0,
    left: [
      ...(temporalRuns === undefined ? [HISTORY_LEFT] : []),
      ...(plan.config.parallelExecution === true
        ? [`Its parallel steps, sessions of their own: ${sessionId}:step-1 and so on.`]
        : []),
      ...(erasure.keptRecipes.length === 0 ? [] : [recipesLeft(erasure.keptRecipes)]),
      ...LEFT,
    ],
  };
}

function recipesLeft(recipeIds: readonly string[]): string {
  return `Versions that other sessions left of recipes that it had a version of: ${recipeIds.join(', ')}. \`surefoot recipes forget\` deletes one whole.`;
}

/** Resolves to the number of deleted runs; undefined where the server does not allow it. */
async function deleteHistories(temporal: Client, workflowId: string): Promise<number | undefined> {
  const { namespace } = temporal.options;
  try {
    return await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.start, async () => {
      const query = `WorkflowId = "${workflowId.replaceAll('"', '\\"')}"`;
      const { executions } = await temporal.workflowService.listWorkflowExecutions({ namespace, query });
      for (const { execution } of executions)
        await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution ?? null });
      return executions.length;
    });
  } catch (error) {
    const origin = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
    if (isGrpcServiceError(origin) && NOT_ALLOWED.includes(origin.code)) return undefined;
    throw fromConnection(error);
  }
}
