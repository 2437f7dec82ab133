import type { Connection } from '@temporalio/client';
import { startWorkflow, WorkflowRunOperationHandler } from '@temporalio/nexus';
import { serviceHandler, type ServiceHandler } from 'nexus-rpc';
import type { StartRequest } from '../contracts/sessions/start-request';
import { surefootService } from '../client/workflows/nexus';
import { SESSION_WORKFLOW } from '../contracts/queues';
import type { SessionOutcome } from '../contracts/sessions/outcome';

/**
 * Operations for workflows of other namespaces. The id of the session's workflow follows from the request, so that the retry
 * of a request starts no second session. The input is validated where every plain start is: in the workflow.
 */
const handler = serviceHandler(surefootService, {
  executeSession: new WorkflowRunOperationHandler<StartRequest, SessionOutcome>(
    async (context, input) =>
      await startWorkflow<(input: StartRequest) => Promise<SessionOutcome>>(context, SESSION_WORKFLOW, {
        args: [input],
        workflowId: `nexus-${context.requestId}`,
      }),
  ),
});

/** The services that this worker offers: none where the server has no Nexus. */
export async function nexusServices({ workflowService }: Connection): Promise<ServiceHandler[]> {
  const { capabilities } = await workflowService.getSystemInfo({});
  return capabilities?.nexus === true ? [handler] : [];
}
